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
    if memory_id % 16 = 0 and engram._searched(model) then
        perform engram._bring_in(model, space_id);
    end if;
end
$$;

comment on function engram._store_vector is
'Writes the vector of a memory in the table of its model, outside the HNSW index: that takes longer than all else of a write and is left to index_spaces(). Every sixteenth makes sure that not too many wait for it.';
