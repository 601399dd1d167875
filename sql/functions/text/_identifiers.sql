create or replace function engram._identifiers(content text) returns text[]
    language sql immutable strict parallel safe
begin atomic
    select coalesce(array_agg(distinct coalesce(
               case when f.found[1] ~ '^[[:alnum:]]+$' then (ts_lexize('pg_catalog.english_stem', i.name))[1] end, i.name)), '{}')
      from regexp_matches(_identifiers.content, '[[:alnum:]]+(?:[][_./@:#+~%\\-]+[[:alnum:]]+)+|[[:alnum:]]*[[:lower:]][[:upper:]][[:alnum:]]*', 'g') as f (found)
     cross join lateral (select left(lower(f.found[1]), 200) as name) i;
end;

comment on function engram._identifiers is
'Words held together by punctuation or humps, in lower case: snake_case, camelCase, PostgreSQL, paths, versions, e-mail addresses, times, decimals.
A word with humps is stemmed, as the same word written without them is.';
