create or replace function engram._task_draft(name text, goal text, status text, metadata jsonb, settles jsonb) returns engram.draft
    language plpgsql stable
    set search_path from current
as $$
declare
    v_draft engram.draft;
begin
    if jsonb_typeof(metadata) <> 'object' then
        raise exception using
            errcode = 'EG002',
            message = format('metadata is a JSON %s, not an object', jsonb_typeof(metadata)),
            hint    = 'Pass an object like {"branch": "login"}.';
    end if;

    v_draft.importance  := engram._importance_of('progress', status);
    v_draft.content     := format('Task %s: %s', name, replace(status, '_', ' ')) || engram._section('Goal', array_remove(array[goal], null));
    v_draft.kind        := 'strategy';
    v_draft.collection  := 'engineering/task';
    v_draft.source_type := 'create_task';
    v_draft.pinned      := status not in ('done', 'cancelled');
    v_draft.metadata    := jsonb_build_object('type', 'task', 'name', name, 'goal', goal, 'status', status,
                                              'metadata', coalesce(metadata, '{}'), 'settles', settles);
    return v_draft;
end
$$;

comment on function engram._task_draft is 'The memory that holds a task: pinned while it is open, so that it does not fade.';

create or replace function engram.create_task(
    name     text,
    goal     text default null,
    status   text default null,
    metadata jsonb default null,
    user_id  text default 'default'
) returns engram.task
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space bigint := engram._open_space(user_id);
    v_known bigint;
    v_id    bigint;
begin
    name := engram._named('name', name);
    goal := nullif(btrim(goal), '');

    perform pg_advisory_xact_lock(v_space);
    select m.memory_id into v_known
      from engram.memory m
     where m.space_id = v_space and m.collection = 'engineering/task' and m.state = 'active'
       and m.metadata ->> 'status' not in ('done', 'cancelled') and engram._same_name(m.metadata ->> 'name', create_task.name)
     order by m.memory_id
     limit 1;
    if v_known is not null then
        return engram.update_task(v_known, status, goal, metadata, create_task.user_id);
    end if;

    v_id := engram._write_entry(v_space, engram._task_draft(name, goal, coalesce(status, 'planning'), metadata, '[]'));
    perform engram._record(v_space, 'new', v_id, evidence => '{"rule": "task"}');
    return engram._as_task(engram._task_memory(v_space, v_id, create_task.user_id));
end
$$;

comment on function engram.create_task is
'Makes a task that hand-offs, failures and progress can hang on, and returns it. status planning (the default), in_progress, blocked, review, done or cancelled. An open task of the same name is
not made twice: it is returned, with the goal, status and metadata that were given. Raises EG002 for an empty name or another status.';
