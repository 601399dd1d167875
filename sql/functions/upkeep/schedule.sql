create or replace function engram.schedule(
    maintain_every interval default '12 hours',
    fold_every     interval default '1 minute',
    expire_every   interval default '10 minutes',
    sweep_every    interval default '5 minutes',
    keep_history   interval default '7 days',
    index_every    interval default '10 minutes'
) returns table (name text, schedule text, command text)
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_job record;
begin
    perform engram._cron_here();

    for v_job in select * from engram._scheduled_jobs(maintain_every, fold_every, expire_every, sweep_every, keep_history, index_every) loop
        name := 'engram:' || v_job.job;
        schedule := v_job.schedule;
        command := v_job.command;
        perform cron.schedule(name, schedule, command);
        return next;
    end loop;
end
$$;

comment on function engram.schedule is
'Registers the upkeep with pg_cron, as the role that calls it, and returns the jobs: engram:fold, engram:expire, engram:index, engram:leases, engram:maintain, and engram:history, which deletes what pg_cron
recorded of them longer than keep_history ago. Called again, it changes them. Intervals, not times of a day: daylight saving shifts nothing. EG008 where pg_cron is not in this database.';

revoke all on function engram.schedule from public;

create or replace function engram.unschedule() returns integer
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_job   bigint;
    v_count integer := 0;
begin
    perform engram._cron_here();

    for v_job in select j.jobid from cron.job j where j.jobname ~ '^engram:' and j.database = current_database() order by j.jobid loop
        perform cron.unschedule(v_job);
        v_count := v_count + 1;
    end loop;

    return v_count;
end
$$;

comment on function engram.unschedule is 'Takes the jobs of schedule() off pg_cron again; returns how many. A superuser takes off those of every role.';

revoke all on function engram.unschedule from public;
