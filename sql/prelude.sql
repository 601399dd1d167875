do $$
declare
    v_vector_schema text;
    v_vector_version int[];
    v_owner oid;
    v_other text;
begin
    perform pg_advisory_xact_lock(hashtextextended('engram installer', 0));
    -- Who waits for a lock on a table holds up everybody behind it. A limit that the session has stays.
    if current_setting('lock_timeout') = '0' then
        perform set_config('lock_timeout', '10s', true);
    end if;

    if current_setting('server_version_num')::int < 160000 then
        raise exception using
            errcode = '55000',
            message = format('engram needs PostgreSQL 16 or newer; this server is %s', current_setting('server_version')),
            hint    = 'Install engram in a database of a newer server.';
    end if;

    if current_setting('server_encoding') <> 'UTF8' then
        raise exception using
            errcode = '55000',
            message = format('engram needs a database in UTF8; this one is %s', current_setting('server_encoding')),
            hint    = 'CREATE DATABASE another ENCODING ''UTF8'' TEMPLATE template0;';
    end if;

    if not exists (select from pg_extension where extname = 'vector') then
        create extension vector;
    end if;

    select n.nspname, string_to_array(regexp_replace(e.extversion, '[^0-9.]', '', 'g'), '.')::int[]
      into v_vector_schema, v_vector_version
      from pg_extension e
      join pg_namespace n on n.oid = e.extnamespace
     where e.extname = 'vector';

    if v_vector_version < array[0, 8, 0] then
        raise exception using
            errcode = '55000',
            message = format('engram needs pgvector 0.8.0 or newer; this database has %s', array_to_string(v_vector_version, '.')),
            hint    = 'ALTER EXTENSION vector UPDATE;';
    end if;

    select n.nspowner into v_owner from pg_namespace n where n.nspname = 'engram';
    -- CREATE SCHEMA IF NOT EXISTS asks for the right to create one even where it exists.
    if v_owner is null then
        create schema engram;
    elsif not pg_has_role(v_owner, 'usage') then
        raise exception using
            errcode = 'EG008',
            message = format('schema engram belongs to role %I, and %I is no member of it', pg_get_userbyid(v_owner), current_user),
            hint    = format('Install as the owner: SET ROLE %I;', pg_get_userbyid(v_owner));
    elsif to_regclass('engram.setting') is null or to_regclass('engram.static_token') is null then
        select string_agg(o.name, ', ' order by o.name) into v_other
          from (
              select c.relname as name from pg_class c where c.relnamespace = 'engram'::regnamespace and c.relkind in ('r', 'v', 'm', 'S', 'p', 'f')
              union
              select p.proname from pg_proc p where p.pronamespace = 'engram'::regnamespace) o
         where o.name <> 'alembic_version';
        if v_other is not null then
            raise exception using
                errcode = 'EG008',
                message = 'schema engram is there already and holds something else',
                detail  = format('It holds %s.', left(v_other, 200)),
                hint    = 'Rename that one: ALTER SCHEMA engram RENAME TO another; or use another database.';
        end if;
    end if;

    perform set_config('search_path', format('pg_catalog, %I, pg_temp', v_vector_schema), true);
    perform set_config('engram.installing', 'on', true);
    perform set_config('check_function_bodies', 'off', true);
end
$$;

comment on schema engram is
'Long-term memory for agents: remember() and recall() in the caller''s own transaction.';
