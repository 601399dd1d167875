create or replace function engram._gate_kin(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language sql stable parallel safe
begin atomic
    select coalesce(max(1 - (o.vector <=> n.vector)) >= engram._setting_number('gate.kin'), false)
      from unnest(existing.tokens, existing.words) a (t, word)
      join engram.static_token o on o.token = ltrim(a.word, '=')
     cross join unnest(incoming.tokens, incoming.words) b (t, word)
      join engram.static_token n on n.token = ltrim(b.word, '=')
     where a.t = any (c.words_old) and b.t = any (c.words_new);
end;

comment on function engram._gate_kin(engram.contrast, engram.gate_claims, engram.gate_claims) is
'Whether a word that only the existing text has is of one sort with one that only the incoming text has: inches and centimetres, British and American.';
