create or replace function engram._gate_literal(token text) returns text[]
    language plpgsql immutable strict parallel safe
    set search_path from current
as $$
declare
    part text[];
begin
    part := regexp_match(token, '^([12][0-9]{3})[-/.]([01]?[0-9])[-/.]([0-3]?[0-9])$');
    if part is not null then
        return array['d:y' || part[1], 'd:m' || part[2]::integer, 'd:d' || part[3]::integer];
    end if;
    part := regexp_match(token, '^([0-3]?[0-9])\.([01]?[0-9])\.([12][0-9]{3})$');
    if part is not null then
        return array['d:y' || part[3], 'd:m' || part[2]::integer, 'd:d' || part[1]::integer];
    end if;
    part := regexp_match(token, '^([0-2]?[0-9]):([0-5][0-9])(:[0-5][0-9])?$');
    if part is not null then
        return array['t:' || lpad(part[1], 2, '0') || ':' || part[2]];
    end if;
    if token ~ '^v?[0-9]+(\.[0-9]+)+([-+.a-z0-9]*)$' and (token ~ '[a-z]' or token ~ '\..*\.') then
        return array['v:' || ltrim(token, 'v')];
    end if;
    return array['i:' || rtrim(token, '/')];
end
$$;

comment on function engram._gate_literal(text) is
'Tokens of a word with digits or signs in it: date parts (d:), a clock time (t:), a version (v:) or an identifier (i:).';
