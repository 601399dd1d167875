create or replace function engram._gate_named(claims engram.gate_claims, part text[], within integer default 1) returns boolean
    language sql stable parallel safe
begin atomic
    select exists (
        select from generate_series(1, within) i
         where claims.tokens[i] = any (part) and left(claims.words[i], 1) <> '='
           and case left(claims.tokens[i], 2)
                   when 'w:' then coalesce((select -(k.vector <#> k.vector) >= 42025 from engram.static_token k where k.token = claims.words[i]), true)
                   when 'c:' then true
                   else false end);
end;

comment on function engram._gate_named(engram.gate_claims, text[], integer) is
'Whether a text begins, within so many tokens, with a name that is in part: a word that no row of the lexicon lists and that is rare by its vector, or has none.';
