create or replace function engram._upkeep_step(run engram.upkeep_run) returns engram.upkeep_run
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_before text := current_setting('engram.tenant', true);
    v_step   jsonb;
begin
    if not exists (select from engram.job_run r where r.job_run_id = run.run_id and r.finished_at is null) then
        raise warning 'another maintain() has taken over from this one, which gave no sign for the setting maintain.lease_seconds';
        run.job := null;
        return run;
    end if;

    if run.job_run_id is null then
        return engram._begin_job(run);
    elsif cardinality(run.tenants) = 0 then
        return engram._end_job(run, case when (run.detail ->> 'busy')::integer > 0 then 'partial' else 'done' end);
    end if;

    perform set_config('engram.tenant', run.tenants[1], true);
    v_step := engram._run_job(run.job, run.state, greatest(engram._setting_number('maintain.batch'), 1)::integer);
    perform set_config('engram.tenant', coalesce(v_before, ''), true);

    run.rows   := run.rows + (v_step ->> 'rows')::bigint;
    run.detail := engram._added(run.detail, v_step -> 'detail');
    run.state  := v_step -> 'state';
    if (v_step ->> 'done')::boolean then
        run.tenants := run.tenants[2:];
        run.state   := null;
    end if;

    if cardinality(run.tenants) > 0 and clock_timestamp() > run.deadline then
        run.detail := run.detail || jsonb_build_object('resume', jsonb_build_object('tenant_id', engram.tenant_id(run.tenants[1]), 'state', run.state));
        return engram._end_job(run, 'partial');
    end if;

    -- Last in the step, so that the rows are not locked while it works.
    update engram.job_run r set rows = run.rows, detail = run.detail, heartbeat_at = clock_timestamp() where r.job_run_id = run.job_run_id;
    update engram.job_run r set heartbeat_at = clock_timestamp() where r.job_run_id = run.run_id;
    if clock_timestamp() > run.said_at + interval '10 seconds' then
        raise notice '%: % so far', run.job, run.rows;
        run.said_at := clock_timestamp();
    end if;
    return run;
end
$$;

comment on function engram._upkeep_step is 'Goes on with a maintain() by one step, which is short: begins a job, does a batch of it for one tenant, or ends it.';

revoke all on function engram._upkeep_step from public;

create or replace function engram._begin_job(run engram.upkeep_run) returns engram.upkeep_run
    language plpgsql volatile
    set search_path from current
as $$
declare
    -- Where the last run stopped for want of time, this one goes on.
    v_resume jsonb := (select case when r.outcome = 'partial' then r.detail -> 'resume' end
                         from engram.job_run r where r.job = run.job order by r.started_at desc, r.job_run_id desc limit 1);
begin
    insert into engram.job_run (job, pid, heartbeat_at)
    values (run.job, pg_backend_pid(), clock_timestamp())
    returning job_run_id into run.job_run_id;

    run.tenants  := case when (select j.by_tenant from engram.job j where j.job = run.job)
                         then array(select t.name from engram.tenant t
                                     where t.tenant_id >= coalesce((v_resume ->> 'tenant_id')::integer, -2147483648) order by t.tenant_id)
                         else array[''] end;
    run.state    := v_resume -> 'state';
    run.rows     := 0;
    run.detail   := '{}';
    run.said_at  := clock_timestamp();
    run.deadline := case when run.named then 'infinity' else clock_timestamp() + make_interval(secs => engram._setting_number('maintain.seconds')) end;
    return run;
end
$$;

comment on function engram._begin_job is 'Opens the row of the present job of a maintain(), which goes on where the last run of it ran out of time.';

revoke all on function engram._begin_job from public;

create or replace function engram._end_job(run engram.upkeep_run, outcome text) returns engram.upkeep_run
    language plpgsql volatile
    set search_path from current
as $$
begin
    update engram.job_run r
       set finished_at = clock_timestamp(), rows = run.rows, detail = run.detail,
           outcome = case when r.error is not null then 'failed' else _end_job.outcome end
     where r.job_run_id = run.job_run_id;

    run.total      := run.total + run.rows;
    run.jobs       := run.jobs[2:];
    run.job        := run.jobs[1];
    run.job_run_id := null;
    return run;
end
$$;

comment on function engram._end_job is 'Closes the row of the present job of a maintain() and turns to the next.';

revoke all on function engram._end_job from public;

create or replace function engram._added(counts jsonb, more jsonb) returns jsonb
    language sql immutable parallel safe
begin atomic
    select coalesce(_added.counts, '{}') || coalesce(jsonb_object_agg(
               m.key, case when jsonb_typeof(m.value) = 'number' and jsonb_typeof(_added.counts -> m.key) = 'number'
                           then to_jsonb((_added.counts ->> m.key)::numeric + (m.value #>> '{}')::numeric) else m.value end), '{}')
      from jsonb_each(_added.more) as m (key, value);
end;

comment on function engram._added is 'Two objects of counts as one: numbers of the same key are added up.';

revoke all on function engram._added from public;
