create or replace function engram._check_schedule() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_jobs   bigint;
    v_failed text;
begin
    if not exists (select from pg_extension e where e.extname = 'pg_cron') then
        return query values ('upkeep scheduler', 'ok',
            'pg_cron is not in this database, which is fine: engram-pg worker does the upkeep, and so does any scheduler that runs CALL engram.maintain();', null);
        return;
    elsif not has_schema_privilege('cron', 'usage') then
        return query values ('upkeep scheduler', 'ok', 'pg_cron is there; this role may not see its jobs', null);
        return;
    end if;

    select count(*), string_agg(format('%s: %s', s.name, s.last_message), '; ' order by s.name) filter (where s.last_status = 'failed')
      into v_jobs, v_failed
      from engram.schedules() s
     where s.active;

    return query values ('upkeep scheduler',
        case when v_failed is null then 'ok' else 'warning' end,
        case when v_failed is not null then 'the last run failed of ' || v_failed
             when v_jobs = 0 then 'pg_cron is there, but does not run the upkeep: engram.schedule() would register it'
             else format('%s jobs are registered with pg_cron', v_jobs) end,
        'SELECT * FROM engram.schedules();');
end
$$;

comment on function engram._check_schedule is 'doctor(): what runs the upkeep, and whether it failed the last time.';
