create or replace function engram._scheduled_jobs(
    maintain_every interval,
    fold_every     interval,
    expire_every   interval,
    sweep_every    interval,
    keep_history   interval,
    index_every    interval
) returns table (job text, schedule text, command text)
    language plpgsql stable
    set search_path from current
as $$
begin
    if keep_history is null or keep_history < interval '0' then
        raise exception using
            errcode = 'EG002',
            message = 'keep_history is an interval of 0 or more',
            hint    = 'SELECT * FROM engram.schedule(keep_history => interval ''7 days'');';
    end if;

    return query values
        ('fold', engram._cron_expression(fold_every), 'call engram.run_job(''fold'')'),
        ('expire', engram._cron_expression(expire_every), 'call engram.run_job(''expire'')'),
        ('index', engram._cron_expression(index_every), 'call engram.run_job(''index'')'),
        ('leases', engram._cron_expression(sweep_every), 'select engram.sweep_embeddings()'),
        ('maintain', engram._cron_expression(maintain_every), format('call engram.maintain(every => %L)', maintain_every)),
        ('history', '30 * * * *', format(
            'delete from cron.job_run_details d where coalesce(d.end_time, d.start_time) < now() - %L::interval and d.command ~ ''engram[.]|job_run_details d''',
            keep_history));
end
$$;

comment on function engram._scheduled_jobs is 'What schedule() registers: the jobs, when they tick, and what they run.';

revoke all on function engram._scheduled_jobs from public;
