create or replace function engram.release_judgements(worker text) returns integer
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_count integer;
begin
    update engram.judgement_job j
       set leased_by = null, due_at = now(), attempts = greatest(j.attempts - 1, 0)
     where j.leased_by = release_judgements.worker and j.failed_at is null;
    get diagnostics v_count = row_count;

    return v_count;
end
$$;

comment on function engram.release_judgements is 'Gives back everything that a worker has claimed to be judged, as if it had not. Returns how many.';

revoke all on function engram.release_judgements from public;
