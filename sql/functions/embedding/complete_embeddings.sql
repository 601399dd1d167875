create or replace function engram.complete_embeddings(
    worker         text,
    model          text,
    space_ids      bigint[],
    memory_ids     bigint[],
    content_hashes uuid[],
    vectors        text[]
) returns table (stored integer, stale integer, settled integer)
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_model   engram.embedding_model := engram._known_model(complete_embeddings.model);
    v_tenant  record;
    v_row     record;
    v_vectors halfvec[] := engram._checked_vectors(v_model, cardinality(memory_ids), vectors);
begin
    stored := 0; settled := 0;

    -- The locks of the spaces come first and in their order, as in every writer, so that no two wait for each other in a ring.
    perform pg_advisory_xact_lock(s.id) from (select distinct i.id from unnest(space_ids) as i (id) order by i.id) s;

    for v_tenant in
        select distinct t.tenant_id, t.name
          from unnest(space_ids, memory_ids) as i (space_id, memory_id)
          join engram.embedding_job j on j.space_id = i.space_id and j.memory_id = i.memory_id and j.model_id = v_model.model_id
          join engram.tenant t using (tenant_id)
         order by t.tenant_id
    loop
        perform set_config('engram.tenant', v_tenant.name, true);
        stored := stored + engram._complete_batch(worker, v_model, v_tenant.tenant_id, space_ids, memory_ids, content_hashes, v_vectors);
    end loop;

    for v_row in
        select i.space_id, i.memory_id, i.content_hash, i.vector, t.name as tenant
          from unnest(space_ids, memory_ids, content_hashes, v_vectors) as i (space_id, memory_id, content_hash, vector)
          join engram.embedding_job j
            on j.space_id = i.space_id and j.memory_id = i.memory_id and j.model_id = v_model.model_id
           and j.content_hash = i.content_hash and j.leased_by = worker
          join engram.tenant t using (tenant_id)
         order by i.space_id, i.memory_id
    loop
        perform set_config('engram.tenant', v_row.tenant, true);
        case engram._complete_embedding(v_model, v_row.space_id, v_row.memory_id, v_row.content_hash, v_row.vector)
            when 'stored'  then stored := stored + 1;
            when 'settled' then stored := stored + 1; settled := settled + 1;
            else null;
        end case;
    end loop;

    stale := coalesce(cardinality(memory_ids), 0) - stored;
    return next;
end
$$;

comment on function engram.complete_embeddings is
'Takes the vectors of what a worker claimed, in the same order as the ids and hashes, each as text like [0.1,0.2]. A result is refused as stale when the text has changed, the memory is
gone or the lease went to another. settled: how many memories the write gate, run now that the vector is there, found to repeat or contradict another. Raises EG005 for a wrong
length, NaN or a zero vector before anything is written.';

revoke all on function engram.complete_embeddings from public;
