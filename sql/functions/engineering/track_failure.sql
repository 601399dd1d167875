create or replace function engram._about(space_id bigint, memory_id bigint, component text) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_words text[] := engram._placed(component);
begin
    if v_words = '{}' then
        return;
    end if;

    insert into engram.edge (space_id, src, relation, dst, tenant_id, weight)
    select _about.space_id, _about.memory_id, 'about', n.dst, (select engram._tenant_id_in_force()), 0.9::double precision
      from (
          select e.dst
            from engram.edge e
           where e.space_id = _about.space_id and e.src = _about.memory_id and e.relation = 'similar'
      ) n
      join engram.memory m on m.space_id = _about.space_id and m.memory_id = n.dst
     where tsvector_to_array(m.lexemes) @> v_words
    on conflict do nothing;
end
$$;

comment on function engram._about is 'Edges from a failure to those of its nearest memories that name its component.';

create or replace function engram.track_failure(
    error            text,
    component        text,
    severity         text default 'major',
    root_cause       text default null,
    fix              text default null,
    related_test_ids text[] default '{}',
    session_id       text default null,
    task_id          bigint default null,
    user_id          text default 'default'
) returns engram.remembered
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space bigint := engram._open_space(user_id);
    v_draft engram.draft;
    v_known engram.memory;
    v_id    bigint;
    v_importance double precision := engram._importance_of('failure', severity);
begin
    error            := engram._named('error', error);
    component        := engram._named('component', component);
    root_cause       := nullif(btrim(root_cause), '');
    fix              := nullif(btrim(fix), '');
    related_test_ids := engram._items(related_test_ids);

    perform pg_advisory_xact_lock(v_space);
    if track_failure.task_id is not null then
        perform engram._task_memory(v_space, track_failure.task_id, track_failure.user_id);
    end if;

    select * into v_known
      from engram.memory m
     where m.space_id = v_space and m.collection = 'engineering/failure' and m.state = 'active'
       and engram._same_name(m.metadata ->> 'component', track_failure.component) and engram._same_name(m.metadata ->> 'error', track_failure.error)
     order by m.created_at desc, m.memory_id desc
     limit 1;

    v_draft.metadata := jsonb_build_object(
        'type', 'failure', 'error', coalesce(v_known.metadata ->> 'error', error), 'component', coalesce(v_known.metadata ->> 'component', component),
        'severity', case when engram._setting_number('failure.' || (v_known.metadata ->> 'severity')) > v_importance
                         then v_known.metadata ->> 'severity' else severity end,
        'root_cause', coalesce(root_cause, v_known.metadata ->> 'root_cause'), 'fix', coalesce(fix, v_known.metadata ->> 'fix'),
        'related_test_ids', to_jsonb(array(
            select distinct t.test from (select jsonb_array_elements_text(case when jsonb_typeof(v_known.metadata -> 'related_test_ids') = 'array' then v_known.metadata -> 'related_test_ids' else '[]' end) union all
                                         select unnest(related_test_ids)) as t (test) order by t.test)),
        'occurrences', case when jsonb_typeof(v_known.metadata -> 'occurrences') = 'number' then (v_known.metadata -> 'occurrences')::integer when v_known.memory_id is null then 0 else 1 end + 1, 'last_seen', now())
        || jsonb_strip_nulls(jsonb_build_object('task_id', coalesce(to_jsonb(track_failure.task_id), v_known.metadata -> 'task_id')));
    v_draft.content := format('Failure in %s: %s', v_draft.metadata ->> 'component', v_draft.metadata ->> 'error')
                    || engram._section('Root cause', array_remove(array[v_draft.metadata ->> 'root_cause'], null))
                    || engram._section('Fix', array_remove(array[v_draft.metadata ->> 'fix'], null))
                    || engram._section('Tests', array(select jsonb_array_elements_text(v_draft.metadata -> 'related_test_ids')));
    v_draft.importance := greatest(v_known.importance, v_importance);

    if v_known.memory_id is not null then
        return engram._seen_again(v_known, v_draft, track_failure.user_id, track_failure.task_id);
    end if;

    v_draft.kind        := 'failure';
    v_draft.collection  := 'engineering/failure';
    v_draft.session_id  := track_failure.session_id;
    v_draft.source_type := 'track_failure';
    v_id := engram._write_entry(v_space, v_draft, track_failure.task_id);
    perform engram._about(v_space, v_id, component);

    return row(v_id, 'new', null, null, '{"rule": "failure"}'::jsonb,
               engram._record(v_space, 'new', v_id, evidence => '{"rule": "failure"}'))::engram.remembered;
end
$$;

comment on function engram.track_failure is
'Keeps what went wrong in a component, as a memory of kind failure: severity critical, major or minor gives its importance (settings failure.*). Recall of something about that component brings it
along. The same error of the same component again counts one more in occurrences, is as severe as the worst, and takes a root cause, a fix and tests that it did not have. task_id: hangs it on a task.
Raises EG002 for an empty error or component and another severity, EG004 for a task that this user does not have.';
