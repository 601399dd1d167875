create or replace function engram.session_outcome(
    session_id text,
    outcome    text,
    notes      text default null,
    user_id    text default 'default'
) returns setof engram.weighed
    language plpgsql volatile
    rows 20
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space  bigint := engram._open_space(user_id);
    v_factor double precision := case outcome when 'success' then engram._setting_number('outcome.success')
                                                     when 'failure' then engram._setting_number('outcome.failure') end;
    v_recalled bigint[];
    v_old    record;
    v_row    engram.weighed;
begin
    session_id := engram._named('session_id', session_id);
    if v_factor is null then
        raise exception using
            errcode = 'EG002',
            message = format('outcome is %s', coalesce(quote_literal(outcome), 'null')),
            hint    = 'Use success or failure.';
    end if;

    perform pg_advisory_xact_lock(v_space);
    -- First the events: one that is being folded meanwhile is waited for, and then stands in session_recall.
    with taken as (
        update engram.recall_event r set session_id = null
         where r.tenant_id = (select engram._tenant_id_in_force()) and r.space_id = v_space and r.session_id = session_outcome.session_id
        returning r.memory_id
    )
    select array_agg(t.memory_id) into v_recalled from taken t;
    with taken as (
        delete from engram.session_recall r
         where r.space_id = v_space and r.session_id = session_outcome.session_id
        returning r.memory_id
    )
    select v_recalled || array_agg(t.memory_id) into v_recalled from taken t;

    for v_old in
        select m.memory_id, m.content, m.importance, coalesce(s.recalls, 0) + coalesce(r.recalls, 0) as recalls
          from engram.memory m
          left join engram.memory_stat s on s.space_id = v_space and s.memory_id = m.memory_id
          left join (select e.memory_id, count(*) as recalls
                       from engram.recall_event e
                      where e.tenant_id = (select engram._tenant_id_in_force()) and e.space_id = v_space
                      group by e.memory_id) r
                 on r.memory_id = m.memory_id
         where m.space_id = v_space and m.memory_id = any (v_recalled) and m.state = 'active'
         order by m.memory_id
           for no key update of m
    loop
        v_row.memory_id     := v_old.memory_id;
        v_row.content       := v_old.content;
        v_row.recalls       := v_old.recalls;
        v_row.quality_score := engram.quality_score(v_old.importance, v_row.recalls, v_factor);
        v_row.importance    := engram.quality_score(v_old.importance, 0, v_factor);
        update engram.memory m set importance = v_row.importance, updated_at = now()
         where m.space_id = v_space and m.memory_id = v_old.memory_id;
        v_row.decision_id   := engram._record(
            v_space, 'outcome', v_old.memory_id,
            evidence => jsonb_build_object('outcome', outcome, 'session_id', session_outcome.session_id, 'factor', v_factor,
                                           'recalls', v_row.recalls, 'quality_score', v_row.quality_score),
            before   => jsonb_build_object(v_old.memory_id, jsonb_build_object('importance', v_old.importance)));
        return next v_row;
    end loop;

    if outcome = 'failure' and btrim(notes) <> '' then
        perform engram.remember(btrim(notes), user_id, 'failure', engram._setting_number('failure.major'),
                                session_id => session_outcome.session_id, source_type => 'session_outcome');
    end if;
end
$$;

comment on function engram.session_outcome is
'Tells how a session ended, success or failure, and weighs what recall() returned to it, the session being named there: each such memory that is current gets its importance multiplied by the setting
outcome.success or outcome.failure, up to 1, so that what helped fades slower and what misled faster. Each change is a decision with its quality_score, which engram.undo() reverses. notes of a failure are
remembered as a memory of kind failure. A session is weighed once: what it recalls afterwards counts for the next call. Returns what it weighed. Raises EG002 for another outcome or no session_id.';
