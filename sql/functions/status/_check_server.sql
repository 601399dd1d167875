create or replace function engram._check_server() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_vector text := (select e.extversion from pg_extension e where e.extname = 'vector');
    v_schema text := (select e.extnamespace::regnamespace from pg_extension e where e.extname = 'vector');
    v_others text;
begin
    -- Every function looks for pgvector's operators there, so what others put there could be called in their place.
    select string_agg(case when a.grantee = 0 then 'public' else quote_ident(r.rolname) end, ', ' order by r.rolname nulls first) into v_others
      from pg_namespace n
     cross join lateral aclexplode(n.nspacl) a
      left join pg_roles r on r.oid = a.grantee
     where n.oid = v_schema::regnamespace and a.privilege_type = 'CREATE' and a.grantee <> n.nspowner and r.rolsuper is not true;

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
        ('schema of pgvector',
         case when v_others is null then 'ok' else 'warning' end,
         case when v_others is null then format('%s: nobody but its owner creates in it', v_schema)
              else format('%s may create in %s, and so have their own functions called by everybody who uses this memory', v_others, v_schema) end,
         format('REVOKE CREATE ON SCHEMA %s FROM %s;', v_schema, v_others));
end
$$;

comment on function engram._check_server is 'doctor(): versions of the server and of pgvector, and who may create in its schema.';
