create or replace function engram._tenant_in_force() returns text
    language sql stable parallel safe
begin atomic
    select coalesce(
        engram._bound_tenant(),
        nullif(current_setting('engram.tenant', true), ''),
        case when engram._setting_text('tenancy') <> 'required' then 'default' end);
end;

comment on function engram._tenant_in_force is
'The tenant of this session: the one that its role is bound to, else the setting engram.tenant, else ''default'' in single-tenant mode, else null.';

create or replace function engram._tenant_id_in_force() returns integer
    language plpgsql stable parallel safe security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_tenant text    := engram._tenant_in_force();
    v_id     integer := engram.tenant_id(v_tenant);
begin
    -- 32 bits are few: whoever chooses the name of a tenant can find one with the key of another.
    return case when not exists (select from engram.tenant t where t.tenant_id = v_id and t.name <> v_tenant) then v_id end;
end
$$;

comment on function engram._tenant_id_in_force is
'Key of the tenant of this session; null, which no row equals, when there is none, and for a name whose key another tenant had first. Runs as the owner because the names of
tenants are closed to everyone else.';
