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
    language sql stable parallel safe
begin atomic
    select engram.tenant_id(engram._tenant_in_force());
end;

comment on function engram._tenant_id_in_force is 'Key of the tenant of this session; null, which no row equals, when there is none.';
