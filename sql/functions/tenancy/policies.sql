do $$
declare
    v_table regclass;
    v_force boolean := coalesce(engram._setting_text('tenancy') = 'required', false);
begin
    for v_table in
        select c.oid
          from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
         where c.relnamespace = 'engram'::regnamespace
           and c.relkind = 'r'
         order by c.relname
    loop
        continue when exists (select from pg_policy p where p.polrelid = v_table and p.polname = 'tenant');

        execute format('alter table %s enable row level security', v_table);
        execute format('create policy tenant on %s using (tenant_id = (select engram._tenant_id_in_force()))', v_table);
        if v_force then
            execute format('alter table %s force row level security', v_table);
        end if;
    end loop;
end
$$;
