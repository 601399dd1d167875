create or replace function engram._end_upkeep(run engram.upkeep_run) returns void
    language plpgsql volatile
    set search_path from current
as $$
begin
    if run.run_id is null then
        return;
    end if;

    update engram.job_run r
       set finished_at = clock_timestamp(), rows = run.total, detail = jsonb_build_object('rows', run.total),
           outcome = case when run.code is not null then 'failed'
                          when exists (select from engram.job_run j where j.job_run_id > run.run_id and j.outcome = 'partial') then 'partial' else 'done' end, error = run.message
     where r.job_run_id = run.run_id and r.finished_at is null;

    delete from engram.job_run r
     using (select x.job, max(x.job_run_id) filter (where x.outcome = 'done') as last_done from engram.job_run x group by x.job) k
     where r.job = k.job and r.job_run_id is distinct from k.last_done
       and r.started_at < clock_timestamp() - make_interval(secs => 86400 * (select engram._setting_number('maintain.history_days')));
end
$$;

comment on function engram._end_upkeep is 'Closes a maintain(), and deletes the rows of job_run that are older than the setting maintain.history_days, except the last good run of each job.';

revoke all on function engram._end_upkeep from public;

create or replace function engram._report_upkeep(run engram.upkeep_run) returns void
    language plpgsql stable
    set search_path from current
as $$
begin
    if run.code is not null then
        raise exception using
            errcode = run.code,
            message = run.message,
            detail  = 'The other jobs were done, and what they did is committed.',
            hint    = 'SELECT * FROM engram.job_status; shows the last error of each job. The next maintain() tries again.';
    end if;
end
$$;

comment on function engram._report_upkeep is 'Raises the first error that a maintain() met.';

revoke all on function engram._report_upkeep from public;
