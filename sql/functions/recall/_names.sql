create or replace function engram._names(query text) returns text[]
    language sql immutable strict parallel safe
begin atomic
    select coalesce(array_agg(distinct lower(f.found[1])), '{}')
      from regexp_matches(left(_names.query, 4000), '\m([[:upper:]][[:alpha:]]+)', 'g') as f (found)
     where cardinality(tsvector_to_array(to_tsvector('pg_catalog.english', f.found[1]))) > 0;
end;

comment on function engram._names is
'The words of a question that are written like names, in lower case: capitalised and no stop word.';
