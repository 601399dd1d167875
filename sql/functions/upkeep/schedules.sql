create or replace function engram.schedules() returns table (
    name          text,
    schedule      text,
    command       text,
    role          text,
    active        boolean,
    last_started  timestamptz,
    last_finished timestamptz,
    last_status   text,
    last_message  text
)
    language plpgsql stable
    set search_path from current
as $$
begin
    perform engram._cron_here();

    return query
        select j.jobname::text, j.schedule, j.command, j.username, j.active, r.start_time, r.end_time, r.status, r.return_message
          from cron.job j
          left join lateral (
              select d.start_time, d.end_time, d.status, d.return_message from cron.job_run_details d
               where d.jobid = j.jobid
               order by d.runid desc
               limit 1) r on true
         where j.jobname ~ '^engram:' and j.database = current_database()
         order by j.jobname;
end
$$;

comment on function engram.schedules is
'The jobs of schedule() in this database, each with its last run: when it started and ended, its status (succeeded, failed, running …) and what pg_cron heard of it. Nulls for one that has not run yet.
Shows the jobs of the role that asks; a superuser sees all. EG008 where pg_cron is not in this database.';

revoke all on function engram.schedules from public;
