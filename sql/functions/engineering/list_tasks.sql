create or replace function engram.list_tasks(status text default null, user_id text default 'default') returns setof engram.task
    language plpgsql stable
    rows 20
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space bigint := engram._space_of(list_tasks.user_id);
begin
    if list_tasks.status is not null then
        perform engram._importance_of('progress', list_tasks.status);
    end if;

    return query
        select (engram._as_task(m)).*
          from engram.memory m
         where m.space_id = v_space and m.collection = 'engineering/task' and m.state = 'active'
           and (list_tasks.status is null or m.metadata ->> 'status' = list_tasks.status)
         order by m.updated_at desc, m.memory_id desc;
end
$$;

comment on function engram.list_tasks is
'The tasks of a user, last changed first, or those of a status. Raises EG002 for a status that does not exist.';
