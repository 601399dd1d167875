create or replace procedure engram.maintain()
    language plpgsql
    set search_path from current
as $$
declare
    v_before text    := current_setting('engram.tenant', true);
    v_batch  integer := greatest(engram._setting_number('maintain.batch'), 1);
    v_started timestamptz := clock_timestamp();
    v_tenant text;
    v_rows   bigint := 0;
begin
    if not pg_try_advisory_xact_lock(hashtextextended('engram maintain', 0)) then
        raise notice 'another maintain() is running; this one leaves the work to it';
        return;
    end if;

    for v_tenant in select t.name from engram.tenant t order by t.tenant_id loop
        perform set_config('engram.tenant', v_tenant, true);
        v_rows := v_rows + engram._run_job('fold', v_batch) + engram._run_job('expire', v_batch) + engram._run_job('count', v_batch)
                         + engram._run_job('index', v_batch);
    end loop;

    insert into engram.job_run (job, started_at, finished_at, detail)
    values ('maintain', v_started, clock_timestamp(), jsonb_build_object('rows', v_rows));

    perform set_config('engram.tenant', coalesce(v_before, ''), true);
end
$$;

comment on procedure engram.maintain is
'Does the upkeep that is due, for every tenant: folds recall events into strength, archives what has expired, counts large spaces and puts their vectors into the index. One at a time;
a second caller returns at once. Each run, and each step with work, leaves a row in job_run. Recall gives right answers without it:
strength and time to live are computed when asked.';

revoke all on procedure engram.maintain from public;
