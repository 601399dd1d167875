create or replace function engram._gate_apart(existing engram.gate_claims, incoming engram.gate_claims) returns text
    language sql immutable parallel safe
begin atomic
    select case
        when existing.tokens is null then 'gone'
        when existing.teller <> incoming.teller then 'other_teller'
        when (coalesce(existing.asks, '') = 'all') <> (coalesce(incoming.asks, '') = 'all') then 'question'
        when not existing.topics && incoming.topics then 'little_shared'
    end;
end;

comment on function engram._gate_apart(engram.gate_claims, engram.gate_claims) is
'The rule by which two texts are told apart before they are laid side by side: told by different people, a question and a statement, or nothing in common. Else null.
gone, which is no rule: a memory that is being deleted.';
