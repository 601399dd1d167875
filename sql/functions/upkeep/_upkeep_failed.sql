create or replace function engram._upkeep_failed(run engram.upkeep_run, code text, message text) returns engram.upkeep_run
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_error text := engram._shown_error(code, message);
begin
    raise warning 'job % failed: %', run.job, v_error;
    run.code    := coalesce(run.code, code);
    run.message := coalesce(run.message, format('job %s failed: %s', run.job, v_error));
    update engram.job_run r set error = v_error, heartbeat_at = clock_timestamp() where r.job_run_id = run.job_run_id;

    -- The other tenants and jobs still have their turn.
    run.state := null;
    if run.job_run_id is null or cardinality(run.tenants) = 0 then
        run.jobs       := run.jobs[2:];
        run.job        := run.jobs[1];
        run.job_run_id := null;
    else
        run.tenants := run.tenants[2:];
    end if;
    return run;
end
$$;

comment on function engram._upkeep_failed is 'Notes that a step of a maintain() failed and was rolled back, and turns to the next tenant or job.';

revoke all on function engram._upkeep_failed from public;

create or replace function engram._shown_error(code text, message text) returns text
    language sql immutable parallel safe
begin atomic
    select _shown_error.code || case when left(_shown_error.code, 2) not in ('22', '23') then ' ' || left(_shown_error.message, 300) else '' end;
end;

comment on function engram._shown_error is 'An error as everybody may see it: without the message where that may quote a memory.';

revoke all on function engram._shown_error from public;
