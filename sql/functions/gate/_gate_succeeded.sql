create or replace function engram._gate_succeeded(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language sql immutable parallel safe
begin atomic
    select coalesce(existing.pivot between 1 and cardinality(existing.tokens) - 1 and incoming.pivot between 1 and cardinality(incoming.tokens) - 1
                    and existing.tokens[existing.pivot + 1 :] <@ incoming.tokens[1 : incoming.pivot]
                    and incoming.tokens[1 : incoming.pivot] <@ existing.tokens[existing.pivot + 1 :]
                    and existing.tokens[1 : existing.pivot] && c.only_old
                    and incoming.tokens[incoming.pivot + 1 :] && c.only_new, false);
end;

comment on function engram._gate_succeeded(engram.contrast, engram.gate_claims, engram.gate_claims) is
'Whether the incoming text begins with what the existing one ends with and puts somebody else there: Ben is the goalkeeper, the goalkeeper is Aidan.';

revoke all on function engram._gate_succeeded(engram.contrast, engram.gate_claims, engram.gate_claims) from public;
