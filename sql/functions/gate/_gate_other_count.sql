create or replace function engram._gate_other_count(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language sql immutable parallel safe
begin atomic
    select exists (select from unnest(existing.tokens) with ordinality o (t, n)
                    cross join unnest(incoming.tokens) with ordinality i (t, n)
                    where o.t = any (c.values_old) and i.t = any (c.values_new) and left(o.t, 2) in ('n:', 'b:') and left(i.t, 2) in ('n:', 'b:')
                      and existing.tokens[o.n + 1 : o.n + 2] && c.words_old and incoming.tokens[i.n + 1 : i.n + 2] && c.words_new);
end;

comment on function engram._gate_other_count(engram.contrast, engram.gate_claims, engram.gate_claims) is
'Whether the numbers that differ count different things: five members and two offices.';
