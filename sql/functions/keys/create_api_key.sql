create or replace function engram.create_api_key(
    name       text,
    tenant     text default null,
    users      text[] default null,
    scope      text default 'write',
    expires_at timestamptz default null,
    out key_id bigint,
    out secret text
)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_tenant  text := coalesce(create_api_key.tenant, engram._tenant_in_force());
    v_problem text := case
        when coalesce(name, '') = '' then 'the key has no name'
        when v_tenant = '' then 'the key has no tenant'
        when array_ndims(users) > 1 then 'users holds lists'
        when cardinality(users) = 0 or array_position(users, null) is not null or array_position(users, '') is not null
            then 'users is empty, or one of them is'
        when scope is null or scope not in ('read', 'write', 'admin') then format('scope %L does not exist', scope)
        when expires_at <= now() then 'expires_at is past'
        else engram._name_problem('the name of the key', name)
    end;
begin
    if v_tenant is null then
        raise exception using
            errcode = 'EG006',
            message = 'no tenant is set, and this database requires one',
            hint    = 'SELECT set_config(''engram.tenant'', ''your tenant'', true); in the same transaction.';
    end if;

    if v_problem is not null then
        raise exception using
            errcode = 'EG002',
            message = v_problem,
            hint    = 'engram.create_api_key(''laptop of Mei'', users => array[''mei''], scope => ''write'', expires_at => now() + interval ''90 days'')';
    end if;

    -- Three UUIDs hold 366 bits of the server's strong randomness; the secret keeps 256 of them.
    secret := 'engram_' || rtrim(translate(encode(
        sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/', '-_'), '=');

    insert into engram.api_key as k (name, secret_hash, tenant, users, scope, expires_at)
    values (create_api_key.name, engram._key_hash(secret), v_tenant, create_api_key.users, create_api_key.scope, create_api_key.expires_at)
    on conflict do nothing
    returning k.key_id into key_id;

    if key_id is null then
        raise exception using
            errcode = 'EG002',
            message = format('there is a key %L already', name),
            hint    = format('Choose another name, or revoke that key first: SELECT engram.revoke_api_key(%s);',
                             (select k.key_id from engram.api_key k where k.name = create_api_key.name and k.revoked_at is null));
    end if;
end
$$;

comment on function engram.create_api_key is
'Makes an API key and returns its id and its secret, which is shown this once: only a hash is kept. It opens the memory of the given users of a tenant, or of all of them, to read, to
read and write, or to administer (scope read, write, admin), until expires_at; null: until it is revoked. The tenant is that of the session unless it is named. Raises EG002 for a name in
use and for what is out of range, EG006 in multi-tenant mode without a tenant.';

revoke all on function engram.create_api_key from public;

create or replace function engram._key_hash(secret text) returns bytea
    language sql immutable strict parallel safe
begin atomic
    select sha256(convert_to(_key_hash.secret, 'UTF8'));
end;

comment on function engram._key_hash is 'What is kept of a secret. It has 256 random bits, so it needs no salt and no slow hash, and an index may find it: what its timing tells is about the hash.';
