create or replace function engram._gate_named(claims engram.gate_claims, part text[]) returns boolean
    language sql stable parallel safe
begin atomic
    select coalesce(claims.tokens[1] = any (part) and left(claims.words[1], 1) <> '='
                    and case left(claims.tokens[1], 2)
                            when 'w:' then coalesce((select -(k.vector <#> k.vector) >= 42025 from engram.static_token k where k.token = claims.words[1]), true)
                            when 'c:' then true
                            else false end, false);
end;

comment on function engram._gate_named(engram.gate_claims, text[]) is
'Whether a text begins with a name that is in part: a word that no row of the lexicon lists and that is rare by its vector, or has none.';
