create or replace function engram.version() returns text
    language sql immutable parallel safe
begin atomic
    select '0.2.0';
end;

comment on function engram.version is 'Version of the functions of this schema; the revision of its tables is in engram.alembic_version.';
