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
            hint    = 'engram.list_tasks() returns the tasks; engram.create_task() makes one.';
    end if;

    return v_task;
end
$$;

comment on function engram._task_memory is 'The memory that holds a task. Raises EG004 when this user has no such task.';

create or replace function engram._as_task(memory engram.memory) returns engram.task
    language sql stable
begin atomic
    select row(t.memory_id, coalesce(t.metadata ->> 'name', t.content), t.metadata ->> 'goal',
               case when t.metadata ->> 'status' = any (array['in_progress', 'blocked', 'review', 'done', 'cancelled'])
                    then t.metadata ->> 'status' else 'planning' end,
               case when jsonb_typeof(t.metadata -> 'metadata') = 'object' then t.metadata -> 'metadata' else '{}' end,
               t.created_at, t.updated_at)::engram.task
      from (select (_as_task.memory).*) t;
end;

comment on function engram._as_task is 'The task that a memory holds; one that came from elsewhere, without a status that exists, is planned.';
