create or replace function engram._gate_reversed(existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language plpgsql immutable parallel safe
    set search_path from current
as $$
begin
    if existing.tokens = incoming.tokens or existing.listed or incoming.listed
       or (existing.pivot is null) <> (incoming.pivot is null)
       or ('fronted' = any (existing.cues)) <> ('fronted' = any (incoming.cues))
       or (existing.tokens[existing.pivot] = 'o:own') <> (incoming.tokens[incoming.pivot] = 'o:own')   -- Ada owns it, its owner is Ada
       or array(select w from unnest(existing.words) w order by w) is distinct from array(select w from unnest(incoming.words) w order by w) then
        return false;
    end if;
    return exists (
        select from engram._gate_swaps(existing.tokens, incoming.tokens) s
         where s.parties ~ '^([wcp]:[^ ]*( |$))+$'
           and (s.a + s.b < s.size or s.tail > 0 and existing.pivot = s.head + s.a and incoming.pivot = s.head + s.b
                or starts_with(existing.words[s.head], '=prefer')));
end
$$;

comment on function engram._gate_reversed(engram.gate_claims, engram.gate_claims) is
'Whether two texts of the same words differ in who does what to whom: one pair of parties changed places around the relation, or what is preferred and what it is preferred to.';
