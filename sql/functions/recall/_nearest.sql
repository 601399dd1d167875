create or replace function engram._nearest(
    space_id bigint,
    model    engram.embedding_model,
    vector   halfvec,
    filter   engram.memory_filter,
    exact    boolean,
    depth    integer,
    spread   boolean default false
) returns table (memory_id bigint, cosine double precision, lowest double precision)
    language plpgsql stable
    rows 100
    set search_path from current
as $$
declare
    v_iterative text := current_setting('hnsw.iterative_scan', true);
    v_ids       bigint[];
    v_cosines   double precision[];
    v_lowest    double precision;
begin
    if vector is null then
        return;
    end if;

    if not exact then
        perform set_config('hnsw.iterative_scan', 'strict_order', true);
        execute format('select * from engram._model_%s_nearest($1, $2, $3, $4)', model.model_id) into v_ids, v_cosines using space_id, vector, filter, depth;
        perform set_config('hnsw.iterative_scan', coalesce(nullif(v_iterative, ''), 'off'), true);
    end if;

    -- The index gives up after hnsw.max_scan_tuples, and copies of one vector can wall off the rest of its graph.
    if exact or coalesce(cardinality(v_ids), 0) < depth then
        execute format('select * from engram._model_%s_scanned($1, $2, $3, $4, $5)', model.model_id) into v_ids, v_cosines, v_lowest
          using space_id, vector, filter, depth, spread;
    end if;

    return query select n.id, n.cosine, v_lowest from unnest(v_ids, v_cosines) as n (id, cosine);
end
$$;

comment on function engram._nearest is
'The memories of a space nearest to a vector, under a filter, best first. exact scans the space, which is fast up to some thousand rows and misses
nothing; else the HNSW index is scanned on until depth rows pass the filter, and what is not in it yet is compared one by one; if fewer pass, the space is scanned. lowest: where
spread is asked for, the smallest cosine in a space that was scanned.';
