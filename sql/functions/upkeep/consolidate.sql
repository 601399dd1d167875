create or replace function engram.consolidate(
    user_id      text default 'default',
    threshold    double precision default null,
    across_kinds boolean default false,
    again        boolean default false
) returns setof engram.consolidated
    language plpgsql volatile
    rows 10
    set search_path from current
    set jit = off
as $$
declare
    v_space   bigint  := engram._space_of(consolidate.user_id);
    v_exact   boolean := not engram._is_indexed(v_space);
    v_model   engram.embedding_model := engram._active_model();
    v_cluster engram.cluster;
    v_seeds   bigint[];
    v_seed    bigint;
begin
    if threshold is not null and (threshold > 0 and threshold <= 1) is not true then
        raise exception using
            errcode = 'EG002',
            message = format('threshold is %s; it is a cosine, above 0 and up to 1', threshold),
            hint    = 'Leave it out for that of the active model: SELECT name, consolidate_at FROM engram.embedding_model;';
    end if;

    perform pg_advisory_xact_lock(v_space);
    v_model.consolidate_at := coalesce(threshold, v_model.consolidate_at);
    if again or threshold is not null or across_kinds then
        delete from engram.consolidation_mark k where k.space_id = v_space;
    end if;

    loop
        v_seeds := engram._consolidation_seeds(v_space, v_model, 1000);
        exit when v_seeds = '{}';
        foreach v_seed in array v_seeds loop
            continue when not engram._is_seed(v_space, v_seed);
            v_cluster := engram._consolidate_seed(v_space, v_seed, v_model, across_kinds, v_exact);
            if v_cluster.outcome = 'folded' then
                return next row(v_cluster.kept, v_cluster.content, v_cluster.folded, v_cluster.retired, v_cluster.decision_id)::engram.consolidated;
            end if;
        end loop;
    end loop;
end
$$;

comment on function engram.consolidate is
'Makes one memory of those that lie close together and say the same or add to each other: the most important is kept, the clauses that it lacks are added to it, the others are archived with superseded_by, and their edges and
recalls move to it. Where two contradict each other the later one in truth ends the earlier. Each member is near to the one kept, by the threshold of the active model or the one given. Never of different
collections, languages, times of truth, or, unless across_kinds, kinds; never pinned ones. Returns a row a cluster; engram.undo(decision_id) puts everything back exactly, and what was parted so stays apart. Only what is
new or changed since the last time is looked at, unless again. All in the caller''s transaction; CALL engram.maintain(array[''consolidate'']) commits cluster by cluster. Raises EG002 for a threshold that is none.';

create or replace function engram._is_seed(space_id bigint, memory_id bigint) returns boolean
    language sql stable
begin atomic
    select exists (select from engram.memory m
                    where m.space_id = _is_seed.space_id and m.memory_id = _is_seed.memory_id and m.state = 'active' and not m.pinned);
end;

comment on function engram._is_seed is 'Whether a memory is still there to be looked at by consolidation.';
