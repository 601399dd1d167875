create or replace function engram.list_failures(component text default null, user_id text default 'default') returns setof engram.failure
    language plpgsql stable
    rows 20
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space bigint := engram._space_of(list_failures.user_id);
begin
    return query
        select m.memory_id, m.metadata ->> 'component', coalesce(m.metadata ->> 'error', m.content), m.metadata ->> 'severity', m.metadata ->> 'root_cause',
               m.metadata ->> 'fix', engram._texts_in(m.metadata -> 'related_test_ids'), least(coalesce(engram._number_in(m.metadata -> 'occurrences'), 1), 2147483647)::integer,
               s.last_seen, engram._task_of(v_space, m.memory_id)
          from engram.memory m
         cross join lateral (select case when pg_input_is_valid(m.metadata ->> 'last_seen', 'timestamptz')
                                         then (m.metadata ->> 'last_seen')::timestamptz else m.created_at end as last_seen) s
         where m.space_id = v_space and m.collection = 'engineering/failure' and m.state = 'active'
           and (list_failures.component is null or engram._same_name(m.metadata ->> 'component', list_failures.component))
         order by s.last_seen desc, m.memory_id desc;
end
$$;

comment on function engram.list_failures is
'What went wrong and is not forgotten, last seen first, or that of one component: what engram.track_failure() was told.';
