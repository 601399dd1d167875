create or replace function engram.sweep_embeddings() returns integer
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_tries integer := engram._setting_number('embedding.max_attempts');
    v_count integer;
begin
    update engram.embedding_job j
       set failed_at = now(), leased_by = null, last_error = coalesce(j.last_error, 'the lease ran out each time: the worker died or hung on this text')
      from (select d.space_id, d.memory_id, d.model_id
              from engram.embedding_job d
             where d.failed_at is null and d.due_at <= now() and d.attempts >= v_tries
             order by d.space_id, d.memory_id, d.model_id
               for update skip locked) d
     where j.space_id = d.space_id and j.memory_id = d.memory_id and j.model_id = d.model_id;
    get diagnostics v_count = row_count;

    return v_count;
end
$$;

comment on function engram.sweep_embeddings is
'Gives up the texts whose lease ran out embedding.max_attempts times, so that doctor() shows them even while no worker runs; returns how many. A lease that ran out before that needs no sweep: the next worker takes the text.';

revoke all on function engram.sweep_embeddings from public;
