create or replace function engram._gate_unlisted(claims engram.gate_claims, part text[]) returns text[]
    language sql immutable parallel safe
begin atomic
    select coalesce(array_agg(u.t), '{}')
      from unnest(claims.tokens, claims.words) u (t, word)
     where u.t = any (part) and left(u.t, 2) in ('w:', 'c:') and left(u.word, 1) <> '=';
end;

comment on function engram._gate_unlisted(engram.gate_claims, text[]) is
'The words of part that are in no row of the lexicon: a name is never a state (on holiday) or a way (alone).';
