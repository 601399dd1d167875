create or replace function engram._gate_names(claims engram.gate_claims, part text[]) returns boolean
    language sql stable parallel safe
begin atomic
    select claims.lang in ('en', 'zh', 'ja') and count(*) = cardinality(part)
       and bool_and(left(u.t, 2) = 'w:' and left(u.word, 1) <> '=' and u.word ~ '^[a-z0-9]'
                    and (claims.lang <> 'en' or coalesce(-(k.vector <#> k.vector), 65025) >= 42025))
       and (claims.lang <> 'en' or bool_or(k.token is null))
      from unnest(claims.tokens, claims.words) u (t, word)
      left join engram.static_token k on k.token = u.word
     where u.t = any (part);
end;

comment on function engram._gate_names(engram.gate_claims, text[]) is
'Whether part is names of products or firms only: rare words in no row of the lexicon, one of them so rare that it has no vector, or Latin words in a Chinese or Japanese text. Upper case says nothing
here, so that a verdict does not depend on it.';
