create or replace function engram._vector(content text, given double precision[], model engram.embedding_model) returns halfvec
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    v_vector halfvec;
begin
    if given is null then
        return case when model.provider = 'static' then engram.embed(content) end;
    end if;

    if cardinality(given) <> model.dims or array_ndims(given) <> 1 then
        raise exception using
            errcode = 'EG005',
            message = format('the embedding has %s dimensions; model %s has %s', cardinality(given), model.name, model.dims),
            hint    = 'Pass a one-dimensional array of the model''s length, or leave embedding out.';
    end if;

    -- NaN is more than every number.
    if array_position(given, null) is not null or 65504 < any (given) or -65504 > any (given) then
        raise exception using
            errcode = 'EG005',
            message = 'the embedding holds NaN, null or a number that half precision cannot hold',
            hint    = 'Check what the model returned; every number must be finite and below 65504.';
    end if;

    v_vector := given::halfvec;
    if l2_norm(v_vector) = 0 then
        raise exception using
            errcode = 'EG005',
            message = 'the embedding is all zeros, which has no direction',
            hint    = 'Leave embedding out for a text without meaning to the model.';
    end if;

    return v_vector;
end
$$;

comment on function engram._vector is
'The vector of a text: the one given, checked against the model, else what the static model makes of the text, else null.
Raises EG005 for a wrong length, NaN, null, infinity or zero.';
