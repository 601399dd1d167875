create or replace function engram._newest_handoff(space_id bigint, as_of timestamptz default null, task_id bigint default null) returns engram.memory
    language sql stable
begin atomic
    select m
      from engram.memory m
     where m.space_id = _newest_handoff.space_id and m.collection = 'engineering/handoff' and m.state = 'active'
       and (_newest_handoff.as_of is null or m.created_at <= _newest_handoff.as_of)
       and (_newest_handoff.task_id is null
            or exists (select from engram.edge e
                        where e.space_id = _newest_handoff.space_id and e.src = m.memory_id and e.relation = 'part_of' and e.dst = _newest_handoff.task_id))
     order by m.created_at desc, m.memory_id desc
     limit 1;
end;

comment on function engram._newest_handoff is 'The newest hand-off of a space, of a task of it, or the newest as of a moment; null when there is none.';
