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
    execute format(
        'insert into %s (space_id, memory_id, tenant_id, content_hash, embedding, indexed)
         values ($1, $2, $3, $4, $5, $6 and coalesce((select s.indexed from engram.space_stat s where s.space_id = $1), false))
         on conflict (space_id, memory_id) do update set content_hash = excluded.content_hash, embedding = excluded.embedding',
        engram._embedding_table(model.model_id))
        using space_id, memory_id, tenant_id, content_hash, vector, engram._searched(model);
end
$$;

comment on function engram._store_vector is 'Writes the vector of a memory in the table of its model.';
