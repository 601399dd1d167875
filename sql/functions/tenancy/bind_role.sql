create or replace function engram.bind_role(role name, tenant text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_problem text;
begin
    v_problem := case
        when role is null then 'the role is null'
        when not exists (select from pg_roles r where r.rolname = role) then format('role %I does not exist', role)
        when coalesce(tenant, '') = '' then 'the tenant is empty'
        else coalesce(engram._name_problem('the name of the tenant', tenant), engram._unbindable(role))
    end;
    if v_problem is not null then
        raise exception using
            errcode = 'EG002',
            message = v_problem,
            hint    = 'Bind a plain role that logs in for one tenant, made by CREATE ROLE … LOGIN and let in by engram.grant_usage(…, ''writer'').';
    end if;

    insert into engram.role_binding (role, tenant) values (bind_role.role, bind_role.tenant)
    on conflict on constraint role_binding_pkey do update set tenant = excluded.tenant, bound_at = now();
end
$$;

comment on function engram.bind_role is
'Binds a database role to one tenant: whatever it sets, in either mode, it sees and writes only that tenant''s rows. Holds for sessions that log in as the role, and for
those that chose it by SET ROLE as long as they stay in it; members of the role are not bound by it. Binding again changes the tenant. Raises EG002 for a role that policies can''t hold: a superuser, one with
BYPASSRLS, the owner, a member of such a role, or a worker, who serves all tenants.';

revoke all on function engram.bind_role from public;

create or replace function engram.unbind_role(role name) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    delete from engram.role_binding b where b.role = unbind_role.role;
    return found;
end
$$;

comment on function engram.unbind_role is 'Takes the binding of a role back: it chooses its tenant by the setting engram.tenant again. Returns whether it was bound.';

revoke all on function engram.unbind_role from public;
