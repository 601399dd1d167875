create or replace function engram.tenant_id(tenant text) returns integer
    language sql immutable strict parallel safe
begin atomic
    select (('x' || substr(md5(convert_to(tenant_id.tenant, 'UTF8')), 1, 8))::bit(32)::integer);
end;

comment on function engram.tenant_id is
'Key of a tenant: the first 32 bits of the md5 of its name, the same on every platform.';
