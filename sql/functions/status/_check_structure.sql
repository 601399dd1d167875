create or replace function engram._check_structure() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_open        text;
    v_bare        text;
    v_protecting  text;
    v_unvalidated text;
    v_validating  text;
    v_unserved    text;
begin
    select string_agg(c.oid::regclass::text, ', ' order by c.relname) into v_open
      from pg_class c
      join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
     where c.relnamespace = 'engram'::regnamespace
       and (not c.relrowsecurity or engram._setting_text('tenancy') = 'required' and not c.relforcerowsecurity);

    select string_agg(t::text, ', '), string_agg(format('SELECT engram._protect(%L);', t), ' ')
      into v_bare, v_protecting
      from engram._tenant_tables() t
     where not exists (select from pg_policy p where p.polrelid = t and p.polname = 'tenant');

    select string_agg(format('%s of %s', t.conname, t.conrelid::regclass), ', ' order by t.conname),
           string_agg(format('ALTER TABLE %s VALIDATE CONSTRAINT %I;', t.conrelid::regclass, t.conname), ' ' order by t.conname)
      into v_unvalidated, v_validating
      from pg_constraint t
     where t.connamespace = 'engram'::regnamespace and not t.convalidated;

    select string_agg(m.name, ', ' order by m.name) into v_unserved
      from engram.embedding_model m
     where not exists (select from pg_proc p where p.pronamespace = 'engram'::regnamespace and p.proname = format('_model_%s_nearest', m.model_id));

    return query values
        ('row-level security',
         case when v_open is null and v_bare is null then 'ok' else 'error' end,
         coalesce(nullif(concat_ws('; ', 'switched off on: ' || v_open, 'no policy on: ' || v_bare), ''),
                  format('on, tenancy is %s', engram._setting_text('tenancy'))),
         concat_ws(' ', v_protecting,
                   format('SELECT engram.require_tenant(%s);', case when engram._setting_text('tenancy') = 'required' then 'true' else 'false' end))),
        ('constraints',
         case when v_unvalidated is null then 'ok' else 'warning' end,
         coalesce('not validated: ' || v_unvalidated, 'all validated'),
         v_validating),
        ('models',
         case when v_unserved is null then 'ok' else 'error' end,
         coalesce('no functions for the table of vectors of: ' || v_unserved, 'each has the functions of its table of vectors'),
         case when v_unserved is not null then 'SELECT engram._renew_model_functions();' end);
end
$$;

comment on function engram._check_structure is
'doctor(): tables whose row-level security was switched off or whose policy is gone, constraints that hold for new rows only, and models that came as a row alone, as to a subscriber.';
