create or replace function engram._bound_tenant() returns text
    language plpgsql stable parallel safe security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_tenant text;
begin
    select b.tenant into v_tenant from engram.role_binding b where b.role = session_user;
    if v_tenant is null and current_setting('role') <> 'none' then
        select b.tenant into v_tenant from engram.role_binding b where b.role = current_setting('role')::name;
    end if;

    return v_tenant;
end
$$;

comment on function engram._bound_tenant is
'The tenant to which this session is bound: by the role that logged in, else by the one of SET ROLE; null when neither is bound. A function that runs as
its owner does not change it. Runs as the owner because the bindings are closed to everyone else.';
