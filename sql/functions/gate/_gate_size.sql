create or replace function engram._gate_size(tokens text[]) returns integer
    language sql immutable parallel safe
begin atomic
    select count(*)::integer from unnest(tokens) t where left(t, 2) <> 'g:';
end;

comment on function engram._gate_size(text[]) is 'How many tokens carry content of their own.';
