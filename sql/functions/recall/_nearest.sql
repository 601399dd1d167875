create or replace function engram._nearest(
    space_id bigint,
    model    engram.embedding_model,
    vector   halfvec,
    filter   engram.memory_filter,
    exact    boolean,
    depth    integer
) returns table (memory_id bigint, cosine double precision)
    language plpgsql stable parallel safe
    rows 100
    set search_path from current
as $$
declare
    v_iterative text := current_setting('hnsw.iterative_scan', true);
begin
    if vector is null then
        return;
    end if;

    if exact then
        return query select * from engram._nearest_exact(space_id, model, vector, filter, depth);
        return;
    end if;

    perform set_config('hnsw.iterative_scan', 'strict_order', true);
    return query execute format(
        'select e.memory_id, 1 - (e.embedding <=> $2)
           from %s e
           join engram.memory m using (space_id, memory_id)
          where e.space_id = $1
            and engram._eligible(m.state, m.valid_from, m.valid_until, m.expires_at, m.kind, m.tags, m.collection,
                                 m.metadata, m.created_at, $3)
          order by e.embedding <=> $2, e.memory_id
          limit %s',
        engram._embedding_table(model.model_id), depth)
        using space_id, vector, filter;
    perform set_config('hnsw.iterative_scan', coalesce(nullif(v_iterative, ''), 'off'), true);
end
$$;

comment on function engram._nearest is
'The memories of a space nearest to a vector, under a filter. exact scans the space, which is fast up to some thousand rows and misses
nothing; else the HNSW index is scanned on until depth rows pass the filter.';
