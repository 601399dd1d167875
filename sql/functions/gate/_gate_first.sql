create or replace function engram._gate_first(tokens text[]) returns text
    language sql immutable parallel safe
begin atomic
    select t from unnest(tokens) with ordinality u (t, n) where left(t, 2) <> 'g:' order by n limit 1;
end;

comment on function engram._gate_first(text[]) is 'The first token that is not generic.';
