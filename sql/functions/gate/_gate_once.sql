create or replace function engram._gate_once(existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language sql immutable parallel safe
begin atomic
    select array_to_string(incoming.tokens, ' ') ~ '\md:'
       and array_to_string(existing.tokens, ' ') ~ '(^| )(g:(each|every|always|每|每个|jede|jeden|jeder|jedes|chaque|tous|toutes|cada|todos|todas)|c:[毎每]|w:(day|daily|weekly|monthly|nightly))( |$)';
end;

comment on function engram._gate_once(engram.gate_claims, engram.gate_claims) is 'Whether the incoming text may tell of one day of what the existing one says of every day or week.';
