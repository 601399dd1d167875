create or replace function engram._gate_from_to(c engram.contrast, incoming engram.gate_claims) returns boolean
    language sql immutable parallel safe
begin atomic
    select cardinality(c.values_old) = 0
       and exists (select from unnest(c.shared) o
                    cross join unnest(c.values_new) n
                    where (left(o, 2) in ('d:', 't:', 'v:') and engram._gate_alike(o, n)
                           or left(o, 2) in ('n:', 'b:') and left(n, 2) in ('n:', 'b:') and (left(o, 2) <> left(n, 2) or engram._gate_alike(o, n)))
                      and (incoming.polarity = -1 or array_position(incoming.tokens, o) < array_position(incoming.tokens, n)));
end;

comment on function engram._gate_from_to(engram.contrast, engram.gate_claims) is
'Whether the incoming text names what the existing one says as the value that was: from 2 April to 10 April, or now 10 April and no longer 2 April.
Every value of the existing text is in it, and behind one of them another of the same kind.';
