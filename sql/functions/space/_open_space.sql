create or replace function engram._open_space(user_id text) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_space  bigint  := engram._space_of(user_id);
    v_tenant text    := engram._tenant_in_force();
    v_id     integer := engram.tenant_id(v_tenant);
begin
    if current_setting('transaction_read_only') = 'on' then
        raise exception using
            errcode = 'read_only_sql_transaction',
            message = 'nothing can be remembered in a read-only transaction',
            hint    = 'Write to the primary server; a standby answers engram.search().';
    end if;

    -- Held to commit, as the rows to come would hold it: whoever erases the user waits, or this write begins a new space.
    perform from engram.space s where s.space_id = v_space and s.tenant_id = v_id and s.user_id = _open_space.user_id for key share;
    if found then
        return v_space;
    end if;

    if octet_length(v_tenant) > 1000 then
        raise exception using
            errcode = 'EG002',
            message = engram._name_problem('the name of the tenant', v_tenant),
            hint    = 'Use the key by which your application knows the tenant.';
    end if;

    insert into engram.tenant (tenant_id, name) values (v_id, v_tenant) on conflict do nothing;
    -- Not where the key of the tenant is another's: a policy would refuse the row with words of its own.
    insert into engram.space (space_id, tenant_id, user_id)
    select v_space, v_id, _open_space.user_id where v_id = engram._tenant_id_in_force()
    on conflict do nothing;

    if not exists (select from engram.tenant t where t.tenant_id = v_id and t.name = v_tenant)
       or not exists (select from engram.space s where s.space_id = v_space and s.tenant_id = v_id and s.user_id = _open_space.user_id)
    then
        raise exception using
            errcode = 'EG008',
            message = format('the key of user %L of tenant %L is taken by another name', _open_space.user_id, v_tenant),
            hint    = 'Two names share one hash, which is rare; choose another user_id or tenant.';
    end if;

    return v_space;
end
$$;

comment on function engram._open_space is
'Key of the space of a user, which is created at the first write. Raises EG008 if another name has the same key. Only writers may call it.';

revoke all on function engram._open_space from public;
