create or replace function engram._run_job(job text, batch integer) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_started timestamptz := clock_timestamp();
    v_step    bigint;
    v_rows    bigint := 0;
begin
    loop
        v_step := case job when 'fold'   then engram.fold_recalls(batch)
                           when 'expire' then engram.expire(batch)
                           when 'count'  then engram.count_spaces()
                           when 'index'  then engram.index_spaces(batch) end;
        v_rows := v_rows + v_step;
        exit when v_step = 0 or v_step < batch or job = 'count';
    end loop;

    if v_rows > 0 then
        insert into engram.job_run (job, started_at, finished_at, detail)
        values (job, v_started, clock_timestamp(), jsonb_build_object('rows', v_rows, 'tenant_id', engram._tenant_id_in_force()));
    end if;

    return v_rows;
end
$$;

comment on function engram._run_job is 'Runs one job of maintain() in batches until nothing is left, and records it in job_run if there was work.';

revoke all on function engram._run_job from public;
