create or replace function engram._recalls(space_id bigint, memory_id bigint) returns bigint
    language sql stable
begin atomic
    select coalesce((select s.recalls from engram.memory_stat s where s.space_id = _recalls.space_id and s.memory_id = _recalls.memory_id), 0)
         + (select count(*) from engram.recall_event r where r.space_id = _recalls.space_id and r.memory_id = _recalls.memory_id);
end;

comment on function engram._recalls is 'How often a memory was recalled, with what maintain() has not folded yet.';

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
as $$
declare
    v_space  bigint := engram._open_space(user_id);
    v_factor double precision := case when outcome in ('success', 'failure') then engram._setting_number('outcome.' || outcome) end;
    v_old    engram.memory;
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
    for v_old in
        with taken as (
            delete from engram.session_recall r
             where r.space_id = v_space and r.session_id = session_outcome.session_id
            returning r.memory_id
        )
        select m.*
          from engram.memory m
         where m.space_id = v_space and m.memory_id in (select t.memory_id from taken t) and m.state = 'active'
         order by m.memory_id
           for no key update of m
    loop
        v_row.memory_id     := v_old.memory_id;
        v_row.content       := v_old.content;
        v_row.recalls       := engram._recalls(v_space, v_old.memory_id);
        v_row.quality_score := engram.quality_score(v_old.importance, v_row.recalls, v_factor);
        v_row.importance    := least(greatest(v_old.importance * v_factor, 0), 1);
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
