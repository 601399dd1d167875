create or replace function engram.schedule_sql(
    maintain_every interval default '12 hours',
    fold_every     interval default '1 minute',
    expire_every   interval default '10 minutes',
    sweep_every    interval default '5 minutes',
    keep_history   interval default '7 days',
    index_every    interval default '10 minutes'
) returns text
    language plpgsql stable
    set search_path from current
as $$
begin
    return (select string_agg(case j.job when 'history' then format('select cron.schedule(%L, %L, %L);', 'engram:history', j.schedule, j.command)
                              else format('select cron.schedule_in_database(%L, %L, %L, %L, %L);',
                                          format('engram:%s@%s', j.job, current_database()), j.schedule, j.command, current_database(), current_user) end, E'\n')
              from engram._scheduled_jobs(maintain_every, fold_every, expire_every, sweep_every, keep_history, index_every) j);
end
$$;

comment on function engram.schedule_sql is
'The statements that register the jobs of schedule() for this database where pg_cron lives in another one of the same server: run them there as a superuser, or as
a role that may execute cron.schedule_in_database; the jobs run as the role that calls this. The names end in the database''s, so several databases may be served.';

revoke all on function engram.schedule_sql from public;
