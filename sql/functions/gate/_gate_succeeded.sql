create or replace function engram._gate_succeeded(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    -- What ends with the attribute itself has no pivot: Pia is my manager.
    v_pivot integer := case when existing.pivot = 0 and left(existing.tokens[cardinality(existing.tokens)], 2) = 'a:'
                            then cardinality(existing.tokens) - 1 else existing.pivot end;
begin
    return coalesce(v_pivot between 1 and cardinality(existing.tokens) - 1 and incoming.pivot between 1 and cardinality(incoming.tokens) - 1
                    and existing.tokens[v_pivot + 1 :] <@ incoming.tokens[1 : incoming.pivot]
                    and incoming.tokens[2 : incoming.pivot] <@ existing.tokens[v_pivot + 1 :]
                    and existing.tokens[1 : v_pivot] && c.only_old
                    and cardinality(incoming.tokens) - incoming.pivot between 1 and 3
                    and incoming.tokens[incoming.pivot + 1 :] <@ (engram._gate_unlisted(incoming, c.only_new) || c.shared), false);
end
$$;

comment on function engram._gate_succeeded(engram.contrast, engram.gate_claims, engram.gate_claims) is
'Whether the incoming text begins with what the existing one ends with and puts somebody else there: Ben is the goalkeeper, the goalkeeper is Aidan.';
