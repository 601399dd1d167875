create or replace function engram._space_of(user_id text) returns bigint
    language plpgsql stable parallel safe
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_tenant text := engram._tenant_in_force();
    v_users  text := nullif(current_setting('engram.users', true), '');
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

    if not v_users::jsonb ? user_id then
        raise exception using
            errcode = 'EG006',
            message = format('the memory of user %L is not open to this session', user_id),
            hint    = format('Open are those of: %s.', (select string_agg(u.name, ', ') from jsonb_array_elements_text(v_users::jsonb) as u (name)));
    end if;

    return engram.space_id(user_id, v_tenant);
end
$$;

comment on function engram._space_of is
'Key of the space of a user of the tenant in force. Raises EG006 without a tenant, with another one than the role is bound to, and for a user who is not in the setting
engram.users, a JSON array by which a server limits a transaction to the users of an API key; EG002 without a user.';
