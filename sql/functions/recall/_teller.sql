create or replace function engram._teller(content text, metadata jsonb) returns text
    language sql immutable parallel safe
begin atomic
    -- Most texts have no colon where a name could end, and looking for one is cheaper than reading the opening.
    select lower(coalesce(_teller.metadata ->> 'speaker',
                          case when position(':' in left(_teller.content, 120)) > 0 then (engram._opening(_teller.content))[3] end));
end;

comment on function engram._teller is
'Who tells a memory, in lower case: metadata speaker, else a name before a colon at the start, after a bracketed date if any. Null when nobody is named.';
