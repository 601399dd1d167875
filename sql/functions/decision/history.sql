create or replace function engram.history(memory_id bigint, user_id text default 'default') returns setof engram.history_entry
    language plpgsql stable
    rows 10
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_memory engram.memory := engram.get(history.memory_id, history.user_id);
begin
    return query
        with recursive line as (
            select v_memory.memory_id as id
            union
            select n.id
              from line l
              join engram.memory m on m.space_id = v_memory.space_id
               and (m.memory_id = l.id or m.superseded_by = l.id)
             cross join lateral (values (m.memory_id), (m.superseded_by)) as n (id)
             where n.id is not null
        )
        select d.decided_at, d.decision_id, d.action, d.memory_id, d.related_id, m.content, m.state,
               d.similarity, d.evidence, d.before, d.actor, d.undone_at
          from engram.decision d
          left join engram.memory m on m.space_id = d.space_id and m.memory_id = d.memory_id
         where d.space_id = v_memory.space_id
           -- A new memory that was only compared with one of these has a history of its own.
           and (d.memory_id in (select l.id from line l) or d.action <> 'new' and d.related_id in (select l.id from line l))
         order by d.decision_id;
end
$$;

comment on function engram.history is
'Every decision about a memory and about those it replaced or was replaced by, oldest first, with the text as it is now, what it was before, the
evidence and who did it. Raises EG004 when this user has no such memory.';
