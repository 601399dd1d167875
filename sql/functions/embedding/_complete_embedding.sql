create or replace function engram._complete_embedding(
    model        engram.embedding_model,
    space_id     bigint,
    memory_id    bigint,
    content_hash uuid,
    vector       halfvec
) returns text
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_job    engram.embedding_job;
    v_memory engram.memory;
begin
    -- The space's lock comes first, as in every writer, so that no two wait for each other in a ring.
    perform pg_advisory_xact_lock(space_id);

    delete from engram.embedding_job j
     where j.space_id = _complete_embedding.space_id and j.memory_id = _complete_embedding.memory_id
       and j.model_id = model.model_id and j.content_hash = _complete_embedding.content_hash
    returning * into v_job;
    select * into v_memory from engram.memory m
     where m.space_id = _complete_embedding.space_id and m.memory_id = _complete_embedding.memory_id
       and m.content_hash = _complete_embedding.content_hash;
    if v_job.memory_id is null or v_memory.memory_id is null then
        return 'stale';
    end if;

    perform engram._store_vector(model, v_memory.space_id, v_memory.memory_id, v_memory.tenant_id, v_memory.content_hash, vector);

    return case when v_job.settle and model.active and v_memory.state = 'active' and engram._settle(v_memory, model, vector)
                then 'settled' else 'stored' end;
end
$$;

comment on function engram._complete_embedding is
'Stores one vector if the text is still the one that was claimed, and lets the write gate look again where it had to decide without it: stored, settled or stale.';

revoke all on function engram._complete_embedding from public;
