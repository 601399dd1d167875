create or replace function engram._handoff_lines(handoff engram.memory) returns text[]
    language sql stable
begin atomic
    select case when (_handoff_lines.handoff).memory_id is null then '{}' else array(
        select regexp_replace(l.line, '\s+', ' ', 'g')
          from (
              select 0 as part, 0 as place,
                     format('- [%s] Hand-off: %s', to_char((_handoff_lines.handoff).created_at, 'YYYY-MM-DD'),
                            coalesce((_handoff_lines.handoff).metadata ->> 'summary', (_handoff_lines.handoff).content)) as line
              union all
              select 1, s.place,
                     format('- %s, %s%s: %s', case s.entry ->> 'list' when 'next_steps' then 'next step' else replace(s.entry ->> 'list', '_', ' ') end,
                            s.entry ->> 'state', ' by memory ' || (s.entry ->> 'by'), s.entry ->> 'step')
                from jsonb_array_elements(engram._judged_steps(_handoff_lines.handoff)) with ordinality as s (entry, place)
              union all
              select 2, c.place, format('- completed: %s', c.item)
                from jsonb_array_elements_text(case when jsonb_typeof((_handoff_lines.handoff).metadata -> 'completed') = 'array'
                                                    then (_handoff_lines.handoff).metadata -> 'completed' else '[]' end)
                     with ordinality as c (item, place)
          ) l
         order by l.part, l.place) end;
end;

comment on function engram._handoff_lines is 'A hand-off as lines for a prompt: the summary, then each step with its state, then what was completed. None where there is no hand-off.';
