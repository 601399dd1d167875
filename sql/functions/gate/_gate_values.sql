create or replace function engram._gate_values(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns text
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    happened boolean := existing.cues && array['event'] or incoming.cues && array['event'];
    planned  boolean := existing.cues && array['schedule'] and incoming.cues && array['schedule'];
    kind     text    := left(c.values_new[1], 2);
begin
    if cardinality(c.values_old) = 0 then
        return 'adds_value';
    elsif cardinality(c.values_new) = 0 then
        return 'omits_value';
    elsif cardinality(c.words_old) > 0 or cardinality(c.words_new) > 0 then
        return 'values_differ';
    elsif cardinality(c.values_old) > 1 or cardinality(c.values_new) > 1 or not engram._gate_alike(c.values_old[1], c.values_new[1]) then
        return 'values_differ';
    elsif existing.words <> incoming.words and engram._gate_turned(existing, incoming) then
        return 'values_differ';   -- the way back
    elsif c.flipped and exists (select from unnest(c.shared) t where left(t, 2) = 'x:') then
        return 'values_differ';   -- opens at 8, closes at 19
    elsif c.slot_subject and not happened and kind in ('n:', 'b:', 'v:', 'd:', 't:')
          and exists (select from unnest(existing.tokens[existing.pivot + 1 :]) t where left(t, 2) = 'a:') and c.weight >= 1 then
        return 'value_changed';   -- 3.9 is the minimum version
    elsif happened or c.slot_subject then
        return case kind when 'd:' then 'other_date' when 't:' then 'other_date' else 'values_differ' end;
    end if;
    return case
        when kind = 'v:' and c.weight <= 1 and not array_to_string(c.shared, ' ') ~ '\ma:' then 'other_label'
        when kind in ('n:', 't:', 'v:') then 'value_changed'
        when kind = 'd:' then case when planned then 'value_changed' else 'other_date' end
        when kind in ('b:', 'i:') and c.one_slot and existing.pivot = incoming.pivot
             and existing.pivot between 1 and (select count(*) from unnest(existing.tokens) t where left(t, 2) <> 'g:') - 1
             and existing.tokens[cardinality(existing.tokens)] = c.values_old[1] and incoming.tokens[cardinality(incoming.tokens)] = c.values_new[1]
             and c.weight >= 1 then 'value_changed'   -- the code is 4711, the locale is en_GB
        when kind = 'b:' and c.one_slot and existing.pivot >= 1 and c.weight >= 2
             and (array(select t from unnest(existing.tokens) with ordinality u (t, n) where left(t, 2) <> 'g:' order by n))[existing.pivot + 1] = c.values_old[1]
             and coalesce(incoming.pivot in (0, existing.pivot), true) then 'value_changed'   -- is on the third floor of the mill
        when kind = 'b:' and c.one_slot and exists (select from unnest(c.shared) t where left(t, 2) = 'a:') then 'value_changed'
        else 'other_label'
    end;
end
$$;

comment on function engram._gate_values(engram.contrast, engram.gate_claims, engram.gate_claims) is
'The rule for two texts of the same polarity whose numbers, dates, times, versions or identifiers differ. None of them says duplicate.';
