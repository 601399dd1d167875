create or replace function engram._check_clock(client_time timestamptz) returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_written timestamptz := greatest((select max(j.started_at) from engram.job_run j), pg_postmaster_start_time(), pg_conf_load_time());
    v_behind  interval := v_written - clock_timestamp();
    -- An endless time has no distance before PostgreSQL 17.
    v_client  timestamptz := case client_time when 'infinity' then '9999-12-31Z' when '-infinity' then '0001-01-01Z' else client_time end;
    v_apart   interval := greatest(v_client - clock_timestamp(), clock_timestamp() - v_client);
begin
    return query values
        ('clock',
         case when v_behind > interval '1 minute' or v_apart > interval '1 minute' then 'warning' else 'ok' end,
         case when v_behind > interval '1 minute' then format('the server''s clock is %s behind a time that it wrote itself', date_trunc('second', v_behind))
              when v_apart > interval '1 minute' then format('the clocks of the server and of the program that asks are %s apart', date_trunc('second', v_apart))
              else 'the server''s clock agrees' end,
         'Set the clocks by NTP: ages, leases and expiry go by that of the server.');
end
$$;

comment on function engram._check_clock is 'doctor(): whether the server''s clock went backwards, or differs by over a minute from that of the program that asks.';
