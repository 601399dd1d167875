create or replace function engram._gate_slot(c engram.contrast) returns text
    language sql immutable parallel safe
begin atomic
    select case
        when greatest(c.weight_old, c.weight_new) > 2 then 'same_subject'
        when exists (select from unnest(c.shared) t where left(t, 2) = 'o:') and c.weight >= 2 then 'owner_changed'
        when exists (select from unnest(c.shared) t where left(t, 2) = 'a:') and not coalesce(c.slot_subject, false) then 'single_changed'
        else 'other_subject'
    end;
end;

comment on function engram._gate_slot(engram.contrast) is 'The rule for two texts of one frame that differ in one run of words.';
