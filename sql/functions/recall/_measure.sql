create or replace function engram._measure(
    space_id bigint,
    model    engram.embedding_model,
    vector   halfvec,
    filter   engram.memory_filter,
    ids      bigint[] default null,
    query    text default null
) returns table (memory_id bigint, cosine double precision, late boolean, strength double precision)
    language plpgsql stable parallel safe
    rows 500
    set search_path from current
    -- The planner takes a space that it has no statistics of for one row, and would join its rows in a nested loop.
    set enable_nestloop = off
    set enable_seqscan = on
    set plan_cache_mode = force_generic_plan
as $$
begin
    if ids is null then
        return query
            select s.memory_id, c.cosine, c.late, s.strength
              from engram._strengths(_measure.space_id, filter) s
              left join engram._cosines(_measure.space_id, model, vector, query) c on c.memory_id = s.memory_id;
    else
        return query
            select s.memory_id, c.cosine, c.late, s.strength
              from engram._strengths_of(_measure.space_id, ids, filter) s
              left join engram._cosines(_measure.space_id, model, vector, query, ids) c on c.memory_id = s.memory_id;
    end if;
end
$$;

comment on function engram._measure is
'Cosine with the question and strength now of the eligible memories of a space, or of those among ids. A memory without a vector, and a
question without one, has cosine null. query: the question''s text, by which what has no vector of the model yet is compared with static ones.';
