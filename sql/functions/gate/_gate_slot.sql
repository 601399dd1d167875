create or replace function engram._gate_slot(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns text
    language sql stable parallel safe
begin atomic
    select case
        when greatest(c.weight_old, c.weight_new) > 2 then 'same_subject'
        when 'o:own' = any (c.shared) then
            case when c.weight >= 2 and coalesce(c.slot_subject, false) = (array_position(existing.tokens, 'o:own') > existing.pivot)
                 then 'owner_changed' else 'other_subject' end
        when exists (select from unnest(c.shared) t where left(t, 2) = 'a:' and t <> 'a:job') and not coalesce(c.slot_subject, false)
            then case when engram._gate_fits(c, existing, incoming) then 'single_changed' else 'same_subject' end
        when not coalesce(c.slot_subject, false) and existing.pivot >= 2 and c.weight >= 2 and existing.tokens[existing.pivot + 1 :] <@ c.only_old and incoming.tokens[incoming.pivot + 1 :] <@ c.only_new
             and engram._gate_names(existing, c.only_old) and engram._gate_names(incoming, c.only_new) then 'single_changed'   -- the reviewer of the docs is Ito
        else 'other_subject'
    end;
end;

comment on function engram._gate_slot(engram.contrast, engram.gate_claims, engram.gate_claims) is 'The rule for two texts of one frame that differ in one run of words. An owner stands before the verb (Ada owns X) or after the
verb of being (the owner of X is Ada); any other attribute''s value stands after it.';
