create or replace function engram._unbindable(role name) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if exists (
        select
          from pg_roles r
         where (r.rolsuper or r.rolbypassrls or r.oid = (select n.nspowner from pg_namespace n where n.nspname = 'engram'))
           and (r.rolname = role or pg_has_role(role, r.oid, 'member')))
    then
        return format('policies do not hold role %I: it is, or is a member of, the owner, a superuser or a role with BYPASSRLS', role);
    end if;

    if has_table_privilege(role, 'engram.embedding_job', 'select') then
        return format('role %I is a worker, who serves every tenant', role);
    end if;

    return null;
end
$$;

comment on function engram._unbindable is 'Why a role that exists can''t be bound to one tenant; null when it can.';

revoke all on function engram._unbindable from public;
