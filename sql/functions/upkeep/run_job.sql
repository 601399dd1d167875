create or replace procedure engram.run_job(job text, every interval default null)
    language plpgsql
    set search_path from current
as $$
declare
    v_before text    := current_setting('engram.tenant', true);
    v_batch  integer := greatest(engram._setting_number('maintain.batch'), 1);
    v_tenant text;
begin
    if job is null or job not in ('fold', 'expire', 'count', 'index', 'maintain') then
        raise exception using
            errcode = 'EG003',
            message = format('job %L does not exist', job),
            hint    = 'There are fold, expire, count, index, and maintain, which is all of them.';
    end if;

    -- A tick of a scheduler comes a moment early or late, so a twentieth of the interval is no reason to wait for the next.
    if exists (select from engram.job_run r
                where r.job = run_job.job
                  and extract(epoch from clock_timestamp() - r.started_at) < 0.95 * extract(epoch from every)) then
        return;
    end if;

    if job = 'maintain' then
        call engram.maintain();
        return;
    end if;

    for v_tenant in select t.name from engram.tenant t order by t.tenant_id loop
        perform set_config('engram.tenant', v_tenant, true);
        perform engram._run_job(job, v_batch);
    end loop;

    perform set_config('engram.tenant', coalesce(v_before, ''), true);
end
$$;

comment on procedure engram.run_job is
'Does one job of the upkeep, fold, expire, count or index, or all by maintain, for every tenant; with every, only if it was not run within that interval. Beside other runs each piece of work is done once.';

revoke all on procedure engram.run_job from public;
