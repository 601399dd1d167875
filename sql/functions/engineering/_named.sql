create or replace function engram._named(what text, name text) returns text
    language plpgsql immutable
    set search_path from current
as $$
begin
    if coalesce(btrim(name, e' \t\r\n'), '') = '' then
        raise exception using
            errcode = 'EG002',
            message = format('%s is empty', what),
            hint    = 'Pass a text with at least one visible character.';
    end if;

    return btrim(name, e' \t\r\n');
end
$$;

comment on function engram._named is 'A text that has to be there, without white space around it. Raises EG002 when it is empty.';
