create or replace function engram.retry_judgements() returns integer
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_count integer;
begin
    update engram.judgement_job j
       set failed_at = null, attempts = 0, queued_at = now(), due_at = now(), leased_by = null
     where j.failed_at is not null;
    get diagnostics v_count = row_count;

    return v_count;
end
$$;

comment on function engram.retry_judgements is 'Makes the decisions whose judgement was given up due again; returns how many.';

revoke all on function engram.retry_judgements from public;
