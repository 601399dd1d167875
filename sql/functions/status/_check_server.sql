create or replace function engram._check_server() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_vector text := (select e.extversion from pg_extension e where e.extname = 'vector');
begin
    return query values
        ('server',
         case when current_setting('server_version_num')::integer >= 160000 then 'ok' else 'error' end,
         'PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1),
         'Move to PostgreSQL 16 or newer.'),
        ('pgvector',
         case when string_to_array(regexp_replace(v_vector, '[^0-9.]', '', 'g'), '.')::integer[] >= array[0, 8, 4] then 'ok' else 'warning' end,
         'pgvector ' || v_vector || case when string_to_array(regexp_replace(v_vector, '[^0-9.]', '', 'g'), '.')::integer[] < array[0, 8, 4]
                                         then ': versions before 0.8.4 can corrupt an HNSW index in VACUUM' else '' end,
         'Install a newer pgvector on the server, then ALTER EXTENSION vector UPDATE;'),
        ('upkeep scheduler', 'ok',
         case when exists (select from pg_extension e where e.extname = 'pg_cron') then 'pg_cron is installed'
              else 'pg_cron is not installed, which is fine: let any scheduler run CALL engram.maintain();' end,
         null);
end
$$;

comment on function engram._check_server is 'doctor(): versions of the server and of pgvector, and what could schedule maintain().';
