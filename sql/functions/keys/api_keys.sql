create or replace function engram.api_keys() returns setof engram.api_key_entry
    language plpgsql stable security definer
    rows 20
    set search_path = pg_catalog, pg_temp
as $$
begin
    return query
        select k.key_id, k.name, k.tenant, k.users, k.scope,
               case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end,
               k.created_at, k.created_by, k.expires_at, k.revoked_at
          from engram.api_key k
         order by k.key_id;
end
$$;

comment on function engram.api_keys is 'The API keys there are and were, without secrets and hashes: state is active, expired or revoked.';

revoke all on function engram.api_keys from public;
