create or replace function engram._gate_explained(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims,
    out olds double precision, out news double precision, out strange boolean)
    language sql stable parallel safe
begin atomic
    with word as materialized (
        select w.old, w.rest, w.kind, case w.kind when 'c:' then 0.5 else 1 end as weight, w.word,
               (select k.vector from engram.static_token k where k.token = ltrim(w.word, '=')) as vector
          from (
              select true as old, left(t, 2) as kind, max(word) as word, t = any (c.words_old) as rest
                from unnest(existing.tokens, existing.words) u (t, word)
               where word is not null and left(t, 2) <> 'g:' group by t
              union all
              select false, left(t, 2), max(word), t = any (c.words_new)
                from unnest(incoming.tokens, incoming.words) u (t, word)
               where word is not null and left(t, 2) <> 'g:' group by t) w
    ), rest as materialized (
        select w.*, coalesce((select least(greatest((max(1 - (w.vector <=> o.vector)) - 0.35) / 0.45, 0), 1) from word o where o.old <> w.old), 0) as share
          from word w
         where w.rest
    )
    select coalesce(sum(r.weight * r.share) filter (where r.old), 0), coalesce(sum(r.weight * r.share) filter (where not r.old), 0),
           -- A name says something of its own. It is seldom a word of the lexicon, and its vector is long, if it has one.
           coalesce(bool_or(r.kind = 'w:' and r.share < 0.5 and coalesce(-(r.vector <#> r.vector), 65025) >= 42025
                            and left(r.word, 1) <> '='), false)
           or coalesce(sum(r.weight) filter (where r.kind = 'c:' and r.old and r.share < 0.5), 0) >= 1
           or coalesce(sum(r.weight) filter (where r.kind = 'c:' and not r.old and r.share < 0.5), 0) >= 1
      from rest r;
end;

comment on function engram._gate_explained(engram.contrast, engram.gate_claims, engram.gate_claims) is
'How much of the words that only one of two texts has is said by a word of near meaning in the other, by the static vectors of words: a cosine of 0.8 or more counts fully, 0.35 or less not;
and whether an unexplained one is strange: rare enough to be a name.';
