create or replace function engram.require_tenant(required boolean default true) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_table regclass;
begin
    for v_table in
        select p.polrelid
          from pg_policy p
          join pg_class c on c.oid = p.polrelid
         where c.relnamespace = 'engram'::regnamespace
           and p.polname = 'tenant'
         order by c.relname
    loop
        execute format('alter table %s enable row level security, %s row level security', v_table, case when required then 'force' else 'no force' end);
    end loop;

    update engram.setting s set value = case when required then 'required' else 'single' end where s.name = 'tenancy';
end
$$;

comment on function engram.require_tenant is
'Turns multi-tenant mode on (or off again with false): row-level security then binds the owner too, and a session that has not set
engram.tenant sees no row and writes none. Only the owner of the tables can call it. A superuser, and a role with BYPASSRLS, is
never bound by policies.';

revoke all on function engram.require_tenant from public;
