create or replace function engram._cosines(
    space_id bigint,
    model    engram.embedding_model,
    vector   halfvec,
    query    text,
    ids      bigint[] default null
) returns table (memory_id bigint, cosine double precision, late boolean)
    language plpgsql stable parallel safe
    rows 500
    set search_path from current
as $$
declare
    v_static engram.embedding_model;
    v_found  integer;
    v_some   text := case when ids is not null then 'and e.memory_id = any ($3)' end;
begin
    if vector is null or ids = '{}' then
        return;
    end if;

    return query execute format(
        'select e.memory_id, 1 - (e.embedding <=> $2), false from %s e where e.space_id = $1 %s',
        engram._embedding_table(model.model_id), v_some)
        using space_id, vector, ids;
    get diagnostics v_found = row_count;
    if v_found = cardinality(ids) then
        return;
    end if;

    -- What another model has not embedded yet is compared by its static vector.
    v_static := engram._kept_static_model();
    if model.provider <> 'static' and v_static.model_id is not null then
        return query execute format(
            'select e.memory_id, 1 - (e.embedding <=> $2), true from %s e
              where e.space_id = $1 %s
                and not exists (select from %s o where o.space_id = $1 and o.memory_id = e.memory_id)',
            engram._embedding_table(v_static.model_id), v_some, engram._embedding_table(model.model_id))
            using space_id, engram.embed(query), ids;
    end if;
end
$$;

comment on function engram._cosines is
'Cosine of the question with the vectors of a space, or of those among ids; late: by the static vector, where the
model has not embedded the text yet. ids holds none twice.';
