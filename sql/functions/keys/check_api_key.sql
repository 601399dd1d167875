create or replace function engram.check_api_key(secret text) returns setof engram.api_key_scope
    language plpgsql stable security definer
    rows 1
    set search_path = pg_catalog, pg_temp
as $$
begin
    return query
        select k.key_id, k.name, k.tenant, k.users, k.scope, k.expires_at
          from engram.api_key k
         where k.secret_hash = engram._key_hash(check_api_key.secret)
           and k.revoked_at is null
           and (k.expires_at is null or k.expires_at > now());
end
$$;

comment on function engram.check_api_key is
'What a secret opens: the key, its tenant, its users (null: all of the tenant), its scope and when it ends. No row for a secret that is unknown, expired or revoked; nothing
tells these apart.';

revoke all on function engram.check_api_key from public;
