create or replace function engram._protect(target regclass) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_name  name := (select c.relname from pg_class c where c.oid = target);
    v_check text := 'tenant_id = (select engram._tenant_id_in_force())';
begin
    -- A row must not come into a space of another tenant either: words are counted by space, without a policy.
    if v_name = 'space' then
        v_check := v_check || ' and space_id = engram.space_id(user_id, (select engram._tenant_in_force()))';
    elsif exists (select from pg_attribute a where a.attrelid = target and a.attname = 'space_id' and not a.attisdropped) then
        v_check := v_check || format(' and exists (select from engram.space s where s.space_id = %I.space_id)', v_name);
    end if;

    if not exists (select from pg_policy p where p.polrelid = target and p.polname = 'tenant') then
        execute format('alter table %s enable row level security', target);
        execute format('create policy tenant on %s using (tenant_id = (select engram._tenant_id_in_force())) with check (%s)', target, v_check);
        if engram._setting_text('tenancy') = 'required' then
            execute format('alter table %s force row level security', target);
        end if;
    elsif exists (select from pg_policy p where p.polrelid = target and p.polname = 'tenant' and p.polwithcheck is null) then
        execute format('alter policy tenant on %s with check (%s)', target, v_check);
    end if;
end
$$;

comment on function engram._protect is
'Puts a table with tenant_id under row-level security: only rows of the tenant in force are seen and written, and only into its own spaces. Forced on the owner in multi-tenant mode.';

revoke all on function engram._protect from public;
