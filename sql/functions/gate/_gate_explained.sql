create or replace function engram._gate_explained(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims,
    out olds double precision, out news double precision)
    language sql stable parallel safe
begin atomic
    with word as materialized (
        select w.old, w.rest, w.weight, s.vector
          from (
              select true as old, t, max(word) as word, t = any (c.words_old) as rest, case left(t, 2) when 'c:' then 0.5 else 1 end as weight
                from unnest(existing.tokens, existing.words) u (t, word)
               where word is not null and left(t, 2) <> 'g:' group by t
              union all
              select false, t, max(word), t = any (c.words_new), case left(t, 2) when 'c:' then 0.5 else 1 end
                from unnest(incoming.tokens, incoming.words) u (t, word)
               where word is not null and left(t, 2) <> 'g:' group by t) w
         cross join lateral (select k.vector from engram.static_token k where k.token = w.word offset 0) s
    )
    select coalesce(sum(w.weight * b.share) filter (where w.old), 0), coalesce(sum(w.weight * b.share) filter (where not w.old), 0)
      from word w
     cross join lateral (select least(greatest((max(1 - (w.vector <=> o.vector)) - 0.35) / 0.45, 0), 1) as share
                           from word o where o.old <> w.old) b
     where w.rest;
end;

comment on function engram._gate_explained(engram.contrast, engram.gate_claims, engram.gate_claims) is
'How much of the words that only one of two texts has is said by a word of near meaning in the other, by the static vectors of words: a cosine of 0.8 or more counts fully, 0.35 or less not.';
