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
    v_static  engram.embedding_model;
    v_found   bigint[];
    v_cosines double precision[];
begin
    if vector is null or ids = '{}' then
        return;
    end if;

    if ids is null then
        return query execute format(
            'select e.memory_id, 1 - (e.embedding <=> $2), false from %s e where e.space_id = $1',
            engram._embedding_table(model.model_id))
            using space_id, vector;
    else
        execute format('select * from engram._model_%s_cosines($1, $2, $3)', model.model_id) into v_found, v_cosines using space_id, vector, ids;
        return query select f.id, f.cosine, false from unnest(v_found, v_cosines) as f (id, cosine);
    end if;

    -- What another model has not embedded yet is compared by its static vector.
    v_static := engram._kept_static_model();
    if model.provider = 'static' or v_static.model_id is null or cardinality(v_found) = cardinality(ids) then
        return;
    elsif ids is null then
        return query execute format(
            'select e.memory_id, 1 - (e.embedding <=> $2), true from %s e
              where e.space_id = $1
                and not exists (select from %s o where o.space_id = $1 and o.memory_id = e.memory_id)',
            engram._embedding_table(v_static.model_id), engram._embedding_table(model.model_id))
            using space_id, engram.embed(query);
    else
        execute format('select * from engram._model_%s_cosines($1, $2, $3)', v_static.model_id) into v_found, v_cosines
          using space_id, engram.embed(query), array(select i.id from unnest(ids) as i (id) except select f.id from unnest(v_found) as f (id));
        return query select f.id, f.cosine, true from unnest(v_found, v_cosines) as f (id, cosine);
    end if;
end
$$;

comment on function engram._cosines is
'Cosine of the question with the vectors of a space, or of those among ids; late: by the static vector, where the
model has not embedded the text yet. ids holds none twice.';
