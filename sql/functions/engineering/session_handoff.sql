create or replace function engram.session_handoff(
    summary     text,
    completed   text[] default '{}',
    in_progress text[] default '{}',
    blocked     text[] default '{}',
    next_steps  text[] default '{}',
    session_id  text default null,
    task_id     bigint default null,
    user_id     text default 'default'
) returns engram.remembered
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space   bigint := engram._open_space(user_id);
    v_summary text   := engram._named('summary', summary);
    v_lists   jsonb;
    v_draft   engram.draft;
    v_last    engram.memory;
    v_before  jsonb;
    v_id      bigint;
begin
    completed   := engram._items(completed);
    in_progress := engram._items(in_progress);
    blocked     := engram._items(blocked);
    next_steps  := engram._items(next_steps);
    v_lists := jsonb_build_object('type', 'handoff', 'summary', v_summary, 'completed', completed, 'in_progress', in_progress,
                                  'blocked', blocked, 'next_steps', next_steps)
            || case when session_handoff.task_id is null then '{}' else jsonb_build_object('task_id', session_handoff.task_id) end;

    perform pg_advisory_xact_lock(v_space);
    if session_handoff.task_id is not null then
        perform engram._task_memory(v_space, session_handoff.task_id, session_handoff.user_id);
    end if;

    v_last := engram._newest_handoff(v_space);
    if v_last.metadata - 'settles' = v_lists and v_last.session_id is not distinct from session_handoff.session_id then
        return row(v_last.memory_id, 'reinforce', null, 1.0, '{"rule": "same_handoff"}'::jsonb, null)::engram.remembered;
    end if;

    v_draft.content := 'Hand-off: ' || v_summary || engram._section('Completed', completed) || engram._section('In progress', in_progress)
                    || engram._section('Blocked', blocked) || engram._section('Next steps', next_steps);
    v_draft.kind        := 'strategy';
    v_draft.importance  := least(engram._setting_number('handoff.importance'), 1);
    v_draft.collection  := 'engineering/handoff';
    v_draft.session_id  := session_handoff.session_id;
    v_draft.source_type := 'session_handoff';
    v_draft.pinned      := true;
    v_draft.metadata    := v_lists || jsonb_build_object('settles', engram._settles(
        v_space, completed || in_progress || blocked || next_steps,
        array_cat(array_fill(true, array[cardinality(completed)]),
                  array_fill(false, array[cardinality(in_progress) + cardinality(blocked) + cardinality(next_steps)]))));
    v_id := engram._write_entry(v_space, v_draft, session_handoff.task_id);
    perform engram._link_settled(v_space, v_id, v_draft.metadata -> 'settles');

    -- Only the newest one is kept from fading.
    with unpinned as (
        update engram.memory m set pinned = false, updated_at = now()
         where m.space_id = v_space and m.collection = 'engineering/handoff' and m.state = 'active' and m.pinned and m.memory_id <> v_id
        returning m.memory_id
    )
    select jsonb_object_agg(u.memory_id, '{"pinned": true}'::jsonb) into v_before from unpinned u;

    return row(v_id, 'new', v_last.memory_id, null, '{"rule": "handoff"}'::jsonb,
               engram._record(v_space, 'new', v_id, v_last.memory_id, evidence => '{"rule": "handoff"}', before => v_before))::engram.remembered;
end
$$;

comment on function engram.session_handoff is
'Leaves word of where work stands: a summary and lists of what is completed, in progress, blocked and to be done next. The newest one is pinned: engram.context() puts it on top, engram.recall()
always has it among its hits, first when the question asks where work stopped, and it does not fade until another follows. What it lists as completed, and what it lists as still open, settles the steps of
earlier ones. task_id: hangs it on a task. Said again as it stands, it is not written twice. Returns what became of it, related_id being the one before.
Raises EG002 for an empty summary, EG004 for a task that this user does not have.';
