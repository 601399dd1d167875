create or replace function engram._copy_grants(source regclass, target regclass) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_grant record;
begin
    for v_grant in
        select a.privilege_type as privilege, case when a.grantee = 0 then 'public' else quote_ident(r.rolname) end as grantee
          from pg_class c
         cross join lateral aclexplode(c.relacl) a
          left join pg_roles r on r.oid = a.grantee
         where c.oid = source and a.grantee <> c.relowner
    loop
        execute format('grant %s on %s to %s', v_grant.privilege, target, v_grant.grantee);
    end loop;
end
$$;

comment on function engram._copy_grants is 'Gives whoever has privileges on one table the same on another.';

revoke all on function engram._copy_grants from public;
