create or replace function engram._check_bindings() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_gone   name[];
    v_loose  name[];
begin
    if not has_table_privilege('engram.role_binding', 'select') then
        return;
    end if;

    select array_agg(b.role order by b.role) filter (where r.rolname is null),
           array_agg(b.role order by b.role) filter (where case when r.rolname is not null then engram._unbindable(b.role) is not null end)
      into v_gone, v_loose
      from engram.role_binding b
      left join pg_roles r on r.rolname = b.role;

    return query values
        ('role bindings', case when v_loose is not null then 'error' when v_gone is not null then 'warning' else 'ok' end,
         case when v_loose is not null then format('policies do not hold %s, or it serves every tenant', array_to_string(v_loose, ', '))
              when v_gone is not null then format('bound, but not there: %s; a role that was renamed is bound no longer', array_to_string(v_gone, ', '))
              else format('%s roles are bound to a tenant', (select count(*) from engram.role_binding)) end,
         case when v_loose is not null then 'Take SUPERUSER, BYPASSRLS and the memberships from it.'
              else (select string_agg(format('SELECT engram.unbind_role(%L);', g.role), ' ') from unnest(v_gone) as g (role)) end);
end
$$;

comment on function engram._check_bindings is 'doctor(): roles that are bound to a tenant and are gone, or that policies no longer hold. Only for who may see the bindings.';
