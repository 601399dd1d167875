create or replace function engram._prune_space(space_id bigint, batch integer default null)
    returns table (memory_id bigint, decision_id bigint)
    language plpgsql volatile
    set search_path from current
as $$
#variable_conflict use_column
declare
    v_faded record;
begin
    for v_faded in
        select f.* from engram._faded(_prune_space.space_id) f where f.rule = 'faded' order by f.memory_id limit batch
    loop
        -- What another session has changed meanwhile is looked at next time.
        perform from engram.memory m
          where m.space_id = _prune_space.space_id and m.memory_id = v_faded.memory_id and m.state = 'active' and not m.pinned
            for no key update skip locked;
        continue when not found;

        update engram.memory m
           set state = 'archived', updated_at = now()
         where m.space_id = _prune_space.space_id and m.memory_id = v_faded.memory_id;

        memory_id   := v_faded.memory_id;
        decision_id := engram._record(
            _prune_space.space_id, 'prune', v_faded.memory_id,
            evidence => jsonb_build_object('rule', 'faded', 'strength', v_faded.strength, 'below', engram._setting_number('prune.below'),
                                           'days', v_faded.days, 'recalls', v_faded.recalls),
            before => jsonb_build_object(v_faded.memory_id, '{"state": "active"}'::jsonb));
        return next;
    end loop;
end
$$;

comment on function engram._prune_space is
'Archives up to batch memories of a space that have faded, in id order, with a decision each. The caller holds the lock of the space, so that no writer is about to reinforce one.';
