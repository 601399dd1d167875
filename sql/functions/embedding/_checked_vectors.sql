create or replace function engram._checked_vectors(model engram.embedding_model, expected integer, vectors text[]) returns halfvec[]
    language plpgsql immutable
    set search_path from current
as $$
declare
    v_problem text;
    v_vectors halfvec[];
begin
    if cardinality(vectors) is distinct from expected then
        v_problem := format('%s vectors came for %s texts', coalesce(cardinality(vectors), 0), coalesce(expected, 0));
    else
        v_vectors := vectors::halfvec[];
        select case when v.vector is null then format('vector %s is null', v.place)
                    when vector_dims(v.vector) <> model.dims
                    then format('vector %s has %s dimensions; model %s has %s', v.place, vector_dims(v.vector), model.name, model.dims)
                    when l2_norm(v.vector) = 0 then format('vector %s is all zeros, which has no direction', v.place) end
          into v_problem
          from unnest(v_vectors) with ordinality as v (vector, place)
         where v.vector is null or vector_dims(v.vector) <> model.dims or l2_norm(v.vector) = 0
         order by v.place
         limit 1;
    end if;
    if v_problem is not null then
        raise exception using errcode = 'EG005', message = v_problem, hint = 'Nothing was stored. Check what the model returned.';
    end if;

    return v_vectors;
exception when data_exception then
    raise exception using errcode = 'EG005', message = sqlerrm, hint = 'Nothing was stored. A vector is text like [0.1,-0.2] of finite numbers.';
end
$$;

comment on function engram._checked_vectors is 'The vectors, read from their texts. Raises EG005 unless there are as many as expected, each of the model''s length, finite and not zero.';
