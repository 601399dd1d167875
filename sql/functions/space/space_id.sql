create or replace function engram.space_id(user_id text, tenant text default 'default') returns bigint
    language sql immutable strict parallel safe
begin atomic
    select ('x' || substr(md5(convert_to(length(space_id.tenant) || ':' || space_id.tenant || space_id.user_id, 'UTF8')), 1, 16))::bit(64)::bigint;
end;

comment on function engram.space_id is
'Key of the space of a user: the first 64 bits of the md5 of length-of-tenant, colon, tenant and user. The length keeps
(''a'', ''bc'') and (''ab'', ''c'') apart. The same on every platform, so a shard or a client can compute it.';
