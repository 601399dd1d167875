create or replace function engram._storable(instant timestamptz) returns boolean
    language sql immutable parallel safe
begin atomic
    select coalesce(_storable.instant between timestamptz '0001-01-02 00:00:00+00' and timestamptz '9999-12-30 00:00:00+00', true);
end;

comment on function engram._storable(timestamptz) is
'Whether a time, if there is one, lies in the years 1 to 9999 in every time zone. Most languages know no other, and one memory that a client cannot read would spoil all its recalls.';
