create or replace function engram._teller(content text, metadata jsonb) returns text
    language sql immutable parallel safe
begin atomic
    select lower(coalesce(_teller.metadata ->> 'speaker', (engram._opening(_teller.content))[3]));
end;

comment on function engram._teller is
'Who tells a memory, in lower case: metadata speaker, else a name before a colon at the start, after a bracketed date if any. Null when nobody is named.';
