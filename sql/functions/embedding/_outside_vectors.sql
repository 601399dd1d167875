create or replace function engram._outside_vectors(space_id bigint, memory_id bigint) returns jsonb
    language plpgsql stable
    set search_path from current
as $$
declare
    v_model   engram.embedding_model;
    v_row     record;
    v_vectors jsonb := '{}';
begin
    for v_model in select * from engram.embedding_model m where m.provider <> 'static' order by m.model_id loop
        execute format('select e.content_hash, e.embedding::text as vector from %s e where e.space_id = $1 and e.memory_id = $2', engram._embedding_table(v_model.model_id))
           into v_row using space_id, memory_id;
        if v_row.vector is not null then
            v_vectors := v_vectors || jsonb_build_object(v_model.name, jsonb_build_object('content_hash', v_row.content_hash, 'vector', v_row.vector));
        end if;
    end loop;
    return nullif(v_vectors, '{}');
end
$$;

comment on function engram._outside_vectors is 'The vectors of a memory that cannot be made anew inside the database, by model; null if there are none.';

create or replace function engram._put_outside_vectors(space_id bigint, memory_id bigint, vectors jsonb) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_memory engram.memory;
    v_model  engram.embedding_model;
    v_put    boolean := false;
begin
    select * into v_memory from engram.memory m where m.space_id = _put_outside_vectors.space_id and m.memory_id = _put_outside_vectors.memory_id;
    for v_model in
        select m.* from engram.embedding_model m
         where m.provider <> 'static' and (vectors -> m.name ->> 'content_hash')::uuid = v_memory.content_hash
         order by m.model_id
    loop
        perform engram._store_vector(v_model, v_memory.space_id, v_memory.memory_id, v_memory.tenant_id, v_memory.content_hash,
                                     (vectors -> v_model.name ->> 'vector')::halfvec);
        v_put := true;
    end loop;
    if v_put then
        -- What has its vector leaves the queue.
        perform engram._queue_embeddings(v_memory.space_id, v_memory.memory_id, false);
    end if;
end
$$;

comment on function engram._put_outside_vectors is 'Puts vectors that _outside_vectors() kept back, those of the text that the memory has now.';
