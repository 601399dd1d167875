create or replace function engram.update_task(
    task_id  bigint,
    status   text default null,
    goal     text default null,
    metadata jsonb default null,
    user_id  text default 'default'
) returns engram.task
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space   bigint := engram._space_of(user_id);
    v_task    engram.memory;
    v_old     engram.task;
    v_draft   engram.draft;
    v_settles jsonb := '[]';
begin
    perform pg_advisory_xact_lock(v_space);
    v_task := engram._task_memory(v_space, update_task.task_id, update_task.user_id);
    v_old  := engram._as_task(v_task);
    goal   := coalesce(nullif(btrim(goal), ''), v_old.goal);

    if status <> v_old.status then
        v_settles := engram._settles(v_space, array_remove(array[v_old.name, goal], null), array[status = 'done', status = 'done']);
    end if;
    v_draft := engram._task_draft(v_old.name, goal, coalesce(status, v_old.status), coalesce(metadata, v_old.metadata),
                                  coalesce(v_task.metadata -> 'settles', '[]') || v_settles);
    if v_draft.metadata <> v_task.metadata then
        perform engram.revise(v_task.memory_id, v_draft.content, update_task.user_id, importance => v_draft.importance,
                              metadata => v_draft.metadata, pinned => v_draft.pinned);
        perform engram._link_settled(v_space, v_task.memory_id, v_settles);
    end if;

    return engram._as_task(engram._task_memory(v_space, v_task.memory_id, update_task.user_id));
end
$$;

comment on function engram.update_task is
'Changes the status, goal or metadata of a task, and returns it; what is null stays, metadata is replaced as a whole. The former values stay in engram.history(task_id), and engram.undo() brings them
back. A status settles the steps of earlier hand-offs that mean the task. Raises EG002 for another status, EG004 when this user has no such task.';
