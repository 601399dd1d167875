create or replace function engram.fail_embeddings(
    worker     text,
    model      text,
    space_ids  bigint[],
    memory_ids bigint[],
    error      text,
    permanent  boolean default false
) returns integer
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_model engram.embedding_model := engram._known_model(fail_embeddings.model);
    v_most  integer          := engram._setting_number('embedding.max_attempts');
    v_wait  double precision := engram._setting_number('embedding.retry_seconds');
    v_count integer;
begin
    update engram.embedding_job j
       set leased_by  = null,
           last_error = left(error, 500),
           failed_at  = case when permanent or j.attempts >= v_most then now() end,
           due_at     = now() + make_interval(secs => least(v_wait * power(2, greatest(j.attempts - 1, 0)), 3600))
      from (select i.space_id, i.memory_id from unnest(space_ids, memory_ids) as i (space_id, memory_id) order by 1, 2) i
     where j.space_id = i.space_id and j.memory_id = i.memory_id and j.model_id = v_model.model_id
       and j.leased_by = worker;
    get diagnostics v_count = row_count;

    return v_count;
end
$$;

comment on function engram.fail_embeddings is
'Gives back what a worker claimed and could not embed, with the error (first 500 characters): due again after the setting embedding.retry_seconds, twice as long each time up to an hour, or
given up after embedding.max_attempts or when permanent. Returns how many rows it still held.';

revoke all on function engram.fail_embeddings from public;
