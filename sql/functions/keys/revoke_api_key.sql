create or replace function engram.revoke_api_key(key_id bigint) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    update engram.api_key k set revoked_at = now() where k.key_id = revoke_api_key.key_id and k.revoked_at is null;
    return found;
end
$$;

comment on function engram.revoke_api_key is 'Ends a key at once; its row stays, and its name is free again. Returns whether it was in force.';

revoke all on function engram.revoke_api_key from public;
