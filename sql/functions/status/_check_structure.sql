create or replace function engram._check_structure() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_invalid text;
    v_open    text;
begin
    select string_agg(i.indexrelid::regclass::text, ', ' order by i.indexrelid) into v_invalid
      from pg_index i
      join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'engram'::regnamespace and not i.indisvalid;

    select string_agg(c.oid::regclass::text, ', ' order by c.relname) into v_open
      from pg_class c
      join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
     where c.relnamespace = 'engram'::regnamespace
       and (not c.relrowsecurity or engram._setting_text('tenancy') = 'required' and not c.relforcerowsecurity);

    return query values
        ('indexes', case when v_invalid is null then 'ok' else 'error' end, coalesce('invalid: ' || v_invalid, 'all valid'),
         format('REINDEX INDEX CONCURRENTLY %s;', v_invalid)),
        ('row-level security', case when v_open is null then 'ok' else 'error' end,
         coalesce('switched off on: ' || v_open, format('on, tenancy is %s', engram._setting_text('tenancy'))),
         format('SELECT engram.require_tenant(%s);', case when engram._setting_text('tenancy') = 'required' then 'true' else 'false' end));
end
$$;

comment on function engram._check_structure is 'doctor(): invalid indexes and tables whose row-level security was switched off.';
