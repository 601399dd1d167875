create or replace function engram._consolidate_seed(
    space_id     bigint,
    memory_id    bigint,
    model        engram.embedding_model,
    across_kinds boolean,
    exact        boolean
) returns engram.cluster
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_members engram.memory[];
    v_cosines double precision[];
    v_place   integer;
    v_core    integer;
    v_held    integer;
    v_cluster engram.cluster;
begin
    v_cluster.outcome := 'alone';
    select n.members, n.cosines into v_members, v_cosines from engram._near_members(space_id, memory_id, model, across_kinds, exact) n;
    if cardinality(v_members) > 1 then
        if not pg_try_advisory_xact_lock(space_id) then
            v_cluster.outcome := 'busy';
            return v_cluster;
        end if;

        -- What was read before the lock may have changed.
        select n.members, n.cosines into v_members, v_cosines from engram._near_members(space_id, memory_id, model, across_kinds, exact) n;
        v_place := array_position(engram._ids(v_members), memory_id);
        v_core  := engram._leader(space_id, v_members, v_cosines, v_place);
        if v_core < v_place then
            v_core := (v_members[v_core]).memory_id;
            select n.members, n.cosines, array_position(engram._ids(n.members), v_core) into v_members, v_cosines, v_core
              from engram._near_members(space_id, v_core, model, across_kinds, exact) n;
        end if;
    end if;

    if v_core is not null then
        perform from engram.memory m
          where m.space_id = _consolidate_seed.space_id and m.memory_id = any (engram._ids(v_members)) and m.state = 'active'
          order by m.memory_id for no key update;
        get diagnostics v_held = row_count;
        -- Expiry takes no lock on the space, and may have archived one since it was read.
        if v_held < cardinality(v_members) then
            v_cluster.outcome := 'busy';
            return v_cluster;
        end if;
        v_cluster := engram._cluster(space_id, v_members, v_cosines, v_core, model);
    end if;
    if v_cluster.outcome = 'folded' then
        v_cluster.decision_id := engram._fold_cluster(space_id, v_cluster, model);
        perform engram._mark_consolidated(space_id, v_cluster.kept, model.model_id);
    end if;
    perform engram._mark_consolidated(space_id, memory_id, model.model_id);
    return v_cluster;
end
$$;

comment on function engram._consolidate_seed is
'Looks at one memory and those near to it, and settles the cluster that it belongs to: around the most important of those near to it that the gate joins it with, else around itself. Takes the lock of the space if
it has neighbours, without waiting for it: busy, and so too where one of them expires at that moment.';

create or replace function engram._leader(space_id bigint, members engram.memory[], cosines double precision[], place integer) returns integer
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_claims engram.gate_claims[];
begin
    if place > 1 then
        v_claims := engram._gate_stored(space_id, engram._ids(members[:place]));
        for v_core in 1 .. place - 1 loop
            if (engram._joined(members[v_core], members[place], v_claims[v_core], v_claims[place], cosines[v_core])).verdict is not null then
                return v_core;
            end if;
        end loop;
    end if;
    return place;
end
$$;

comment on function engram._leader is 'The place of the first member, so the most important one, that the gate joins with the one at the given place; else that place.';
