create or replace function engram._steps(metadata jsonb) returns table (list text, step text, place bigint)
    language sql immutable parallel safe
    rows 10
begin atomic
    select l.list, s.step, s.place
      from unnest(array['next_steps', 'in_progress', 'blocked']) as l (list)
     cross join lateral jsonb_array_elements_text(
           case when jsonb_typeof(_steps.metadata -> l.list) = 'array' then _steps.metadata -> l.list else '[]' end)
           with ordinality as s (step, place);
end;

comment on function engram._steps is 'What a hand-off left to do: its next steps, and what was in progress or blocked.';

create or replace function engram._judged_steps(handoff engram.memory) returns jsonb
    language sql stable
begin atomic
    select coalesce(jsonb_agg(jsonb_build_object('list', s.list, 'step', s.step, 'state', coalesce(j.entry ->> 'state', 'open'))
                              || case when j.entry is null then '{}'
                                      else jsonb_build_object('by', j.memory_id, 'rule', j.entry ->> 'rule', 'item', j.entry ->> 'item', 'at', j.entry -> 'at') end
                              order by array_position(array['next_steps', 'in_progress', 'blocked'], s.list), s.place), '[]')
      from engram._steps((_judged_steps.handoff).metadata) s
      left join lateral (
          select m.memory_id, t.entry
            from engram.edge e
            join engram.memory m on m.space_id = e.space_id and m.memory_id = e.src and m.state <> 'archived'
           cross join lateral jsonb_array_elements(case when jsonb_typeof(m.metadata -> 'settles') = 'array' then m.metadata -> 'settles' else '[]' end) as t (entry)
           where e.space_id = (_judged_steps.handoff).space_id and e.dst = (_judged_steps.handoff).memory_id and e.relation = 'settles'
             and t.entry -> 'handoff' = to_jsonb(e.dst) and t.entry ->> 'step' = s.step
           order by t.entry ->> 'at' desc, m.memory_id desc
           limit 1
      ) j on true;
end;

comment on function engram._judged_steps is
'The steps of a hand-off with their state: done or open by the latest record that says something of it (by, item, rule, at), and open as long as there is none.';
