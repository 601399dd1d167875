create or replace function engram._queue_embeddings(space_id bigint, memory_id bigint, settle boolean, done integer default null) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_memory engram.memory;
    v_model  engram.embedding_model;
    v_copied bigint;
begin
    select * into v_memory
      from engram.memory m
     where m.space_id = _queue_embeddings.space_id and m.memory_id = _queue_embeddings.memory_id
       and m.tenant_id = engram._tenant_id_in_force();

    for v_model in select * from engram.embedding_model m where m.provider <> 'static' and m.model_id is distinct from done order by m.model_id loop
        -- First of all: where the vector of the older text came after the snapshot of this transaction, its job is gone, and this fails (40001). A deletion of the
        -- vector would not see it.
        delete from engram.embedding_job j
         where j.space_id = v_memory.space_id and j.memory_id = v_memory.memory_id and j.model_id = v_model.model_id;
        execute format(
            'insert into %1$s as own (space_id, memory_id, tenant_id, content_hash, embedding, indexed)
             select $1, $2, $3, $4, e.embedding, e.indexed
               from engram.memory m
               join %1$s e on e.space_id = m.space_id and e.memory_id = m.memory_id and e.content_hash = m.content_hash
              where m.space_id = $1 and m.content_hash = $4
              limit 1
             on conflict (space_id, memory_id) do update
                set content_hash = excluded.content_hash, embedding = excluded.embedding', engram._embedding_table(v_model.model_id))
            using v_memory.space_id, v_memory.memory_id, v_memory.tenant_id, v_memory.content_hash;
        get diagnostics v_copied = row_count;

        if v_copied = 0 then
            execute format('delete from %s e where e.space_id = $1 and e.memory_id = $2', engram._embedding_table(v_model.model_id))
                using v_memory.space_id, v_memory.memory_id;
            insert into engram.embedding_job as j (space_id, memory_id, model_id, tenant_id, content_hash, settle)
            select v_memory.space_id, v_memory.memory_id, v_model.model_id, v_memory.tenant_id, v_memory.content_hash, _queue_embeddings.settle
             where v_memory.memory_id is not null
            on conflict on constraint embedding_job_pkey do update
               set content_hash = excluded.content_hash, settle = excluded.settle,
                   attempts = 0, due_at = now(), leased_by = null, last_error = null, failed_at = null;
        end if;
    end loop;
end
$$;

comment on function engram._queue_embeddings is
'After a text was written: for each model outside the database but the one that is done copies the vector of an identical text of the space (also the memory''s own), or takes away that of its older text and queues the memory anew, which
refuses the result of a claim that was under way. Runs as the owner because the queue is closed; it queues only memories of the tenant in force.';

revoke all on function engram._queue_embeddings from public;
