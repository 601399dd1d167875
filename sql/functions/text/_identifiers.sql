create or replace function engram._identifiers(content text) returns text[]
    language sql immutable strict parallel safe
begin atomic
    select coalesce(array_agg(distinct left(lower(f.found[1]), 200)), '{}')
      from regexp_matches(_identifiers.content, '[[:alnum:]]+(?:[][_./@:#+~%\\-]+[[:alnum:]]+)+|[[:lower:]]+[[:upper:]][[:alnum:]]*', 'g') as f (found);
end;

comment on function engram._identifiers is
'Words held together by punctuation or humps, in lower case: snake_case, camelCase, paths, versions, e-mail addresses, times, decimals.';
