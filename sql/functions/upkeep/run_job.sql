create or replace procedure engram.run_job(job text)
    language plpgsql
    set search_path from current
as $$
declare
    v_before  text    := current_setting('engram.tenant', true);
    v_batch   integer := greatest(engram._setting_number('maintain.batch'), 1);
    v_started timestamptz := clock_timestamp();
    v_rows    bigint  := 0;
    v_tenant  text;
    v_step    jsonb;
begin
    if job is null or job not in ('fold', 'expire', 'count', 'index') then
        raise exception using
            errcode = 'EG003',
            message = format('%L is no job that is short enough for one transaction', job),
            hint    = 'There are fold, expire, count and index; CALL engram.maintain(array[…]); does any.';
    end if;

    for v_tenant in select t.name from engram.tenant t order by t.tenant_id loop
        perform set_config('engram.tenant', v_tenant, true);
        loop
            v_step := engram._run_job(job, null, v_batch);
            v_rows := v_rows + (v_step ->> 'rows')::bigint;
            exit when (v_step ->> 'done')::boolean;
        end loop;
    end loop;
    perform set_config('engram.tenant', coalesce(v_before, ''), true);

    if v_rows > 0 then
        insert into engram.job_run (job, started_at, finished_at, rows, outcome)
        values (job, v_started, clock_timestamp(), v_rows, 'done');
    end if;
end
$$;

comment on procedure engram.run_job is
'Does fold, expire, count or index for every tenant, also while a maintain() is running: each piece of work is done once. For a scheduler that has one of them run more often than the
rest. Leaves a row in job_run if there was work.';

revoke all on procedure engram.run_job from public;
