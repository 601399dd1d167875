create or replace function engram._cron_here() returns void
    language plpgsql stable
    set search_path from current
as $$
declare
    v_other_ways text := 'Without pg_cron, engram-pg worker does the upkeep, and so does any scheduler that runs CALL engram.maintain();';
    v_loaded     boolean;
begin
    if exists (select from pg_extension e where e.extname = 'pg_cron') then
        if not has_schema_privilege('cron', 'usage') then
            raise exception using
                errcode = '42501',
                message = format('role %I may not use pg_cron', current_user),
                hint    = format('A superuser runs: GRANT USAGE ON SCHEMA cron TO %I;', current_user);
        end if;
        return;
    end if;

    begin
        v_loaded := current_setting('cron.database_name', true) is not null;
    exception when insufficient_privilege then
        v_loaded := true;  -- there is such a setting, and only superusers may see it
    end;

    raise exception using
        errcode = 'EG008',
        message = format('pg_cron is not in this database, %I', current_database()),
        detail  = case when v_loaded then 'The server has it, in another database, or ready to be created in the one that the setting cron.database_name names.'
                       else 'The server does not load it: shared_preload_libraries does not name it.' end,
        hint    = case when v_loaded then 'In the database of pg_cron, run what SELECT engram.schedule_sql(); gives here. ' else '' end || v_other_ways;
end
$$;

comment on function engram._cron_here is 'Raises EG008 unless pg_cron is in this database, and says how else to run the upkeep.';

revoke all on function engram._cron_here from public;
