create or replace function engram.retry_embeddings(model text) returns integer
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_model engram.embedding_model := engram._known_model(retry_embeddings.model);
    v_count integer;
begin
    update engram.embedding_job j
       set failed_at = null, attempts = 0, due_at = now(), leased_by = null
     where j.model_id = v_model.model_id and j.failed_at is not null;
    get diagnostics v_count = row_count;

    return v_count;
end
$$;

comment on function engram.retry_embeddings is 'Makes the texts that were given up for a model due again; returns how many.';

revoke all on function engram.retry_embeddings from public;
