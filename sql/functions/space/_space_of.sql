create or replace function engram._space_of(user_id text) returns bigint
    language plpgsql stable parallel safe
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_tenant text := engram._tenant_in_force();
begin
    if v_tenant is null then
        raise exception using
            errcode = 'EG006',
            message = 'no tenant is set, and this database requires one',
            hint    = 'SELECT set_config(''engram.tenant'', ''your tenant'', true); in the same transaction.';
    end if;

    if v_tenant <> nullif(current_setting('engram.tenant', true), '') then
        raise exception using
            errcode = 'EG006',
            message = format('this role is bound to another tenant than %L', current_setting('engram.tenant')),
            hint    = 'Leave engram.tenant unset, or connect as a role of that tenant.';
    end if;

    if coalesce(user_id, '') = '' then
        raise exception using
            errcode = 'EG002',
            message = 'user_id is empty',
            hint    = 'Pass the name of the user whose memory this is, or leave the argument out for ''default''.';
    end if;

    return engram.space_id(user_id, v_tenant);
end
$$;

comment on function engram._space_of is 'Key of the space of a user of the tenant in force. Raises EG006 without a tenant or with another one
than the role is bound to, EG002 without a user.';
