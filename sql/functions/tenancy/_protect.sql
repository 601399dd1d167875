create or replace function engram._protect(target regclass) returns void
    language plpgsql volatile
    set search_path from current
as $$
begin
    if exists (select from pg_policy p where p.polrelid = target and p.polname = 'tenant') then
        return;
    end if;

    execute format('alter table %s enable row level security', target);
    execute format('create policy tenant on %s using (tenant_id = (select engram._tenant_id_in_force()))', target);
    if engram._setting_text('tenancy') = 'required' then
        execute format('alter table %s force row level security', target);
    end if;
end
$$;

comment on function engram._protect is
'Puts a table with tenant_id under row-level security: only rows of the tenant in force are seen and written. Forced on the owner in multi-tenant mode.';

revoke all on function engram._protect from public;
