create or replace function engram.undo(decision_id bigint, user_id text default 'default') returns engram.remembered
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space    bigint := engram._space_of(undo.user_id);
    v_decision engram.decision;
    v_restore  jsonb;
    v_before   jsonb;
    v_later    bigint;
    v_beside   jsonb;
    v_kept     jsonb;
    v_undo     bigint;
begin
    perform pg_advisory_xact_lock(v_space);

    select * into v_decision from engram.decision d where d.space_id = v_space and d.decision_id = undo.decision_id for update;
    if not found then
        raise exception using
            errcode = 'EG004',
            message = format('decision %s does not exist for user %L', coalesce(undo.decision_id::text, 'null'), undo.user_id),
            hint    = 'engram.history(memory_id) shows the decisions about a memory.';
    end if;

    v_restore := engram._restorable(v_decision);

    select max(d.decision_id) into v_later
      from engram.decision d
     where d.space_id = v_space and d.decision_id > v_decision.decision_id and d.undone_at is null
       and d.before ?| array(select jsonb_object_keys(v_restore))
       -- A later decision and its undo come to nothing.
       and not (d.action = 'undo' and coalesce((d.evidence ->> 'undone')::bigint, 0) > v_decision.decision_id);
    if v_later is not null then
        raise exception using
            errcode = 'EG007',
            message = format('decision %s cannot be undone before decision %s, which changed the same memory later', v_decision.decision_id, v_later),
            hint    = format('Undo the later one first: SELECT engram.undo(%s, user_id => %L);', v_later, undo.user_id);
    end if;

    v_beside := v_decision.evidence -> 'beside';
    v_kept   := case when v_beside is not null then engram._outside_vectors(v_space, v_decision.memory_id) end;
    v_before := engram._restore(v_space, v_restore);
    v_beside := engram._restore_beside(v_space, v_decision.memory_id, v_beside, v_kept);
    v_undo   := engram._record(v_space, 'undo', v_decision.memory_id, v_decision.related_id,
                               evidence => jsonb_build_object('undone', v_decision.decision_id)
                                           || case when v_beside is not null then jsonb_build_object('beside', v_beside) else '{}' end,
                               before => v_before);
    update engram.decision d set undone_at = now()
     where d.space_id = v_space and (d.decision_id = v_decision.decision_id
        -- What an undone undo restored is in force again.
        or v_decision.action = 'undo' and d.decision_id = v_undo);
    if v_decision.action = 'undo' then
        update engram.decision d set undone_at = null
         where d.space_id = v_space and d.decision_id = (v_decision.evidence ->> 'undone')::bigint;
    end if;

    return row(v_decision.memory_id, 'undo', v_decision.related_id, null,
               jsonb_build_object('undone', v_decision.decision_id, 'in_force', engram._in_force(v_space, v_restore)), v_undo)::engram.remembered;
exception when data_exception or integrity_constraint_violation then
    raise exception using
        errcode = 'EG007',
        message = format('decision %s cannot be undone: what it restores is no longer possible', undo.decision_id),
        detail  = sqlerrm,
        hint    = 'Change the memory with engram.revise() instead.';
end
$$;

comment on function engram.undo is
'Reverses a decision: what it changed becomes as it was, what it added is archived, what had expired stays for good. An undo is a decision too and can be undone.
The evidence says which decision is undone, and in_force: memory_id and content of what it changed and what is active now, as it was before.
Raises EG004 for a decision of somebody else, EG007 when a later one changed the same memory or when there is nothing left to restore.';
