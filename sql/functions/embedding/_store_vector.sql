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
declare
    v_most bigint;
begin
    if engram._searched(model) and exists (select from engram.space_stat s where s.space_id = _store_vector.space_id and s.indexed) then
        v_most := engram._setting_number('recall.unindexed');
    end if;
    execute format('select engram._model_%s_store($1, $2, $3, $4, $5, $6)', model.model_id) using space_id, memory_id, tenant_id, content_hash, vector, v_most;
end
$$;

comment on function engram._store_vector is
'Writes the vector of a memory in the table of its model, outside the HNSW index: that takes longer than any other part of a write and is left to index_spaces(). Only where recall.unindexed vectors of a space that is searched
by the index wait already, for its upkeep does not keep up, it goes in there and then. No row of another memory is touched, so a write waits for none and keeps none.';
