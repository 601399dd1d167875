create or replace function engram._restorable(decision engram.decision) returns jsonb
    language plpgsql stable
    set search_path from current
as $$
declare
    v_restore jsonb := coalesce(decision.before, '{}');
    v_problem text;
begin
    -- A decision that came late, with a vector, added nothing: its memory was there.
    if decision.action in ('new', 'replace', 'merge', 'import') and not decision.evidence ? 'late' then
        v_restore := v_restore || jsonb_build_object(decision.memory_id, '{"state": "archived"}'::jsonb);
    end if;

    if decision.action = 'expire' then
        v_restore := jsonb_set(v_restore, array[decision.memory_id::text, 'expires_at'], 'null');
    end if;

    v_problem := case
        when decision.undone_at is not null then 'it is undone already'
        when decision.evidence ? 'erased' then 'its memory was erased for good'
        when v_restore = '{}' then 'it keeps no former state'
    end;
    if v_problem is not null then
        raise exception using
            errcode = 'EG007',
            message = format('decision %s cannot be undone: %s', decision.decision_id, v_problem),
            hint    = 'engram.history(memory_id) shows which decisions are in force.';
    end if;

    return v_restore;
end
$$;

comment on function engram._restorable is
'What undoing a decision puts back, keyed by memory_id: its before-image, archived for what it added, and no end of
the time to live for what had expired, which would else expire again. Raises EG007 if that is nothing.';
