create or replace function engram.fail_judgement(
    worker      text,
    space_id    bigint,
    decision_id bigint,
    error       text,
    permanent   boolean default false
) returns boolean
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_most integer          := engram._setting_number('judge.max_attempts');
    v_wait double precision := engram._setting_number('judge.retry_seconds');
begin
    update engram.judgement_job j
       set leased_by  = null,
           last_error = left(error, 500),
           failed_at  = case when permanent or j.attempts >= v_most then now() end,
           due_at     = now() + make_interval(secs => least(v_wait * power(2, greatest(j.attempts - 1, 0)), 3600))
     where j.space_id = fail_judgement.space_id and j.decision_id = fail_judgement.decision_id and j.leased_by = worker;

    return found;
end
$$;

comment on function engram.fail_judgement is
'Gives back what a worker claimed and got no verdict on, with the error (first 500 characters): due again after the setting judge.retry_seconds, twice as long each time up to an hour, or given up
after judge.max_attempts or when permanent. False if the lease is another''s by now.';

revoke all on function engram.fail_judgement from public;
