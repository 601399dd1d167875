create or replace function engram._teller(content text, metadata jsonb) returns text
    language sql immutable parallel safe
begin atomic
    select lower(coalesce(
        _teller.metadata ->> 'speaker',
        substring(left(_teller.content, 120) from '^(?:\[[^\]]*\]\s*)?([[:alpha:]][[:alpha:] .''-]{0,40}):\s')));
end;

comment on function engram._teller is
'Who tells a memory, in lower case: metadata speaker, else a name before a colon at the start, after a bracketed date if any. Null when nobody is named.';
