create or replace function engram._store_vector(
    model        engram.embedding_model,
    space_id     bigint,
    memory_id    bigint,
    tenant_id    integer,
    content_hash uuid,
    vector       halfvec
) returns void
    language plpgsql volatile
    set search_path from current
as $$
begin
    execute format('select engram._model_%s_store($1, $2, $3, $4, $5)', model.model_id) using space_id, memory_id, tenant_id, content_hash, vector;
end
$$;

comment on function engram._store_vector is
'Writes the vector of a memory in the table of its model, outside the HNSW index: that takes longer than any other part of a write and is left to index_spaces().';
