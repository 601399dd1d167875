create or replace function engram.track_progress(
    feature       text,
    status        text,
    completion    double precision default null,
    blockers      text[] default '{}',
    quality_score double precision default null,
    notes         text default null,
    session_id    text default null,
    task_id       bigint default null,
    user_id       text default 'default'
) returns engram.remembered
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space    bigint := engram._open_space(user_id);
    v_draft    engram.draft;
    v_last     engram.memory;
    v_fields   jsonb;
    v_evidence jsonb;
    v_before   jsonb;
    v_id       bigint;
    v_problem  text := case when completion not between 0 and 100 then format('completion is %s; it must be 0 to 100', completion)
                            when status = 'done' and completion < 100 then format('completion is %s; what is done is at 100', completion)
                            when quality_score not between 0 and 1 then format('quality_score is %s; it must be 0 to 1', quality_score) end;
begin
    if v_problem is not null then
        raise exception using errcode = 'EG002', message = v_problem, hint = 'completion is a percentage, quality_score a share.';
    end if;

    v_draft.importance := engram._importance_of('progress', status);
    feature  := engram._named('feature', feature);
    notes    := nullif(btrim(notes), '');
    blockers := engram._items(blockers);

    perform pg_advisory_xact_lock(v_space);
    if track_progress.task_id is not null then
        perform engram._task_memory(v_space, track_progress.task_id, track_progress.user_id);
    end if;

    select * into v_last
      from engram.memory m
     where m.space_id = v_space and m.collection = 'engineering/progress' and m.state = 'active'
       and engram._same_name(m.metadata ->> 'feature', track_progress.feature)
     order by m.created_at desc, m.memory_id desc
     limit 1;

    feature    := coalesce(v_last.metadata ->> 'feature', feature);
    task_id    := coalesce(track_progress.task_id, (select max(e.dst) from engram.edge e
                                                     where e.space_id = v_space and e.src = v_last.memory_id and e.relation = 'part_of'));
    completion := coalesce(completion, case when status = 'done' then 100
                                            when jsonb_typeof(v_last.metadata -> 'completion') = 'number' then (v_last.metadata -> 'completion')::double precision end, 0);
    v_fields   := jsonb_build_object('type', 'progress', 'feature', feature, 'status', status, 'completion', completion, 'blockers', blockers,
                                     'quality_score', quality_score, 'notes', notes)
               || jsonb_strip_nulls(jsonb_build_object('task_id', track_progress.task_id));
    if v_last.metadata - 'settles' = v_fields then
        return row(v_last.memory_id, 'reinforce', null, 1.0, '{"rule": "same_progress"}'::jsonb, null)::engram.remembered;
    end if;

    v_draft.content := format('Progress of %s: %s, %s%%', feature, replace(status, '_', ' '), round(completion::numeric))
                    || engram._section('Blocked by', blockers)
                    || engram._section('Quality', array_remove(array[round(quality_score::numeric, 2)::text], null))
                    || engram._section('Notes', array_remove(array[notes], null));
    v_draft.kind        := 'strategy';
    v_draft.collection  := 'engineering/progress';
    v_draft.session_id  := track_progress.session_id;
    v_draft.source_type := 'track_progress';
    v_draft.metadata    := v_fields || jsonb_build_object('settles', engram._settles(v_space, array[feature], array[status = 'done']));
    v_id := engram._write_entry(v_space, v_draft, task_id);
    perform engram._link_settled(v_space, v_id, v_draft.metadata -> 'settles');

    v_evidence := '{"rule": "progress"}';
    if v_last.memory_id is not null then
        v_evidence := v_evidence || jsonb_build_object('status', jsonb_build_array(v_last.metadata -> 'status', status));
        -- Others can only have come by an import.
        select jsonb_object_agg(r.key, r.value) into v_before
          from engram.memory m
         cross join lateral jsonb_each(engram._retire(v_space, m.memory_id, v_id, now())) as r (key, value)
         where m.space_id = v_space and m.collection = 'engineering/progress' and m.state = 'active' and m.memory_id <> v_id
           and engram._same_name(m.metadata ->> 'feature', v_last.metadata ->> 'feature');
        perform engram._link_new(v_space, v_id, null, null, null, 'supersedes', v_last.memory_id);
    end if;

    return row(v_id, case when v_before is null then 'new' else 'replace' end, v_last.memory_id, null, v_evidence,
               engram._record(v_space, case when v_before is null then 'new' else 'replace' end, v_id, v_last.memory_id,
                              evidence => v_evidence, before => v_before))::engram.remembered;
end
$$;

comment on function engram.track_progress is
'Keeps where a feature stands, as a memory of kind strategy: status planning, in_progress, blocked, review, done or cancelled gives its importance (settings progress.*). Each feature has one current
state: a new one retires the one before, which engram.history() and as_of show and engram.undo() brings back. completion 0..100, by default what it was, and 100 when done; quality_score 0..1. A status
settles the steps of earlier hand-offs that mean the feature. task_id: hangs it on a task, and stays with the feature. Raises EG002 for a bad argument, EG004 for a task that this user does not have.';
