create or replace function engram._greatest_id() returns bigint
    language sql immutable parallel safe
begin atomic
    select 9007199254740991;
end;

comment on function engram._greatest_id is 'The highest id that engram.import() takes: 2^53 - 1, the highest whole number that every reader of JSON keeps exactly.';

create or replace function engram._checked_id(id bigint) returns bigint
    language plpgsql immutable parallel safe
    set search_path from current
as $$
begin
    if id is null or id not between 1 and engram._greatest_id() then
        raise exception using
            errcode = 'EG002',
            message = format('the id is %s; it must be 1 to 2^53 - 1', coalesce(id::text, 'null')),
            hint    = 'Pass the rows of engram.export() as they are.';
    end if;

    return id;
end
$$;

comment on function engram._checked_id is 'The id of an exported row. Raises EG002 for one that no export has.';
