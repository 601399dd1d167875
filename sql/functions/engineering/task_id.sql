create or replace function engram.task_id(task text, user_id text default 'default') returns bigint
    language plpgsql stable
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space bigint := engram._space_of(task_id.user_id);
    v_id    bigint;
begin
    if task is null then
        return null;
    end if;

    select m.memory_id into v_id
      from engram.memory m
     where m.space_id = v_space and m.collection = 'engineering/task' and m.state = 'active'
       and (m.memory_id::text = btrim(task) or engram._same_name(m.metadata ->> 'name', task))
     order by m.memory_id::text = btrim(task) desc, m.metadata ->> 'status' in ('done', 'cancelled'), m.updated_at desc, m.memory_id desc
     limit 1;

    if not found then
        raise exception using
            errcode = 'EG004',
            message = format('no task of user %L is named or numbered %L', user_id, task),
            hint    = 'engram.list_tasks() returns the tasks; engram.create_task() makes one.';
    end if;

    return v_id;
end
$$;

comment on function engram.task_id is
'The number of a task that is given by its name, or by that number: for task_id of the functions that take one. Of several tasks of a name an open one, then the one changed last. Null for null. Raises EG004 when
this user has no such task.';
