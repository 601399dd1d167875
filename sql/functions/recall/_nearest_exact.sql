create or replace function engram._nearest_exact(
    space_id bigint,
    model    engram.embedding_model,
    vector   halfvec,
    filter   engram.memory_filter,
    depth    integer
) returns table (memory_id bigint, cosine double precision)
    language plpgsql stable parallel safe
    rows 10
    set search_path from current
as $$
declare
    v_ids     bigint[];
    v_cosines double precision[];
    v_passed  integer;
begin
    execute format('select * from engram._model_%s_scanned($1, $2, $3)', model.model_id) into v_ids, v_cosines using space_id, vector, least(depth, 2147483639) + 8;

    return query
        select n.id, n.cosine
          from unnest(v_ids, v_cosines) as n (id, cosine)
         where exists (select from engram.memory m
                        where m.space_id = _nearest_exact.space_id and m.memory_id = n.id
                          and engram._eligible(m.state, m.valid_from, m.valid_until, m.expires_at, m.kind, m.tags, m.collection,
                                               m.metadata, m.created_at, filter) offset 0)
         order by n.cosine desc, n.id
         limit depth;
    get diagnostics v_passed = row_count;

    -- Too few of the nearest passed the filter, and there are more: look at all.
    if v_passed < depth and cardinality(v_ids) - 8 = depth then
        return query
            select x.memory_id, x.cosine
              from engram._measure(space_id, model, vector, filter) x
             where x.cosine is not null and x.memory_id <> all (v_ids)
             order by x.cosine desc, x.memory_id
             limit depth - v_passed;
    end if;
end
$$;

comment on function engram._nearest_exact is
'The depth memories of a space nearest to a vector, under a filter, by looking at every vector of the space; nothing is missed.';
