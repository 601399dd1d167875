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
     where j.failed_at is null and j.due_at <= now() and j.attempts >= v_tries;
    get diagnostics v_count = row_count;

    return v_count;
end
$$;

comment on function engram.sweep_embeddings is
'Gives up the texts whose lease ran out embedding.max_attempts times, so that doctor() shows them even while no worker runs; returns how many. A lease that ran out before that needs no sweep: the next worker takes the text.';

revoke all on function engram.sweep_embeddings from public;
