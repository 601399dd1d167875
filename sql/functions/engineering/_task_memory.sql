create or replace function engram._task_memory(space_id bigint, task_id bigint, user_id text) returns engram.memory
    language plpgsql stable
    set search_path from current
as $$
declare
    v_task engram.memory;
begin
    select * into v_task
      from engram.memory m
     where m.space_id = _task_memory.space_id and m.memory_id = _task_memory.task_id
       and m.collection = 'engineering/task' and m.state = 'active';

    if not found then
        raise exception using
            errcode = 'EG004',
            message = format('task %s does not exist for user %L', coalesce(task_id::text, 'null'), user_id),
            hint    = 'engram.list_tasks() returns the ids of the tasks; engram.create_task() makes one.';
    end if;

    return v_task;
end
$$;

comment on function engram._task_memory is 'The memory that holds a task. Raises EG004 when this user has no such task.';

create or replace function engram._as_task(memory engram.memory) returns engram.task
    language sql stable
begin atomic
    select row(((_as_task.memory)).memory_id, ((_as_task.memory)).metadata ->> 'name', ((_as_task.memory)).metadata ->> 'goal',
               ((_as_task.memory)).metadata ->> 'status', coalesce(((_as_task.memory)).metadata -> 'metadata', '{}'),
               ((_as_task.memory)).created_at, ((_as_task.memory)).updated_at)::engram.task;
end;

comment on function engram._as_task is 'The task that a memory holds.';
