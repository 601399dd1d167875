create or replace function engram._gate_run(tokens text[], part text[]) returns boolean
    language sql immutable parallel safe
begin atomic
    select coalesce(max(u.n) - min(u.n) + 1 = count(*), false)
      from unnest(tokens) with ordinality as u (token, n)
     where u.token = any (part);
end;

comment on function engram._gate_run(text[], text[]) is 'Whether the tokens of part stand side by side, as one phrase. False when there are none.';
