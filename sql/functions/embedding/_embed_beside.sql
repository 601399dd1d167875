create or replace function engram._embed_beside(
    space_id     bigint,
    memory_id    bigint,
    tenant_id    integer,
    content      text,
    content_hash uuid,
    done         integer,
    settle       boolean
) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_static engram.embedding_model;
begin
    v_static := engram._kept_static_model();
    if v_static.model_id <> done or done is null and v_static.model_id is not null then
        perform engram._store_vector(v_static, space_id, memory_id, tenant_id, content_hash, engram.embed(content));
    end if;
    if exists (select from engram.embedding_model m where m.provider <> 'static' and m.model_id is distinct from done) then
        perform engram._queue_embeddings(space_id, memory_id, settle, done);
    end if;
end
$$;

comment on function engram._embed_beside is
'After a text was written with the vector of one model (done, or null): the static vector, if it is kept, and a place in the queue of every model outside the database.';
