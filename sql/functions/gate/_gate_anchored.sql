create or replace function engram._gate_anchored(olds text[], news text[], only_old text[], only_new text[]) returns boolean
    language sql immutable parallel safe
begin atomic
    select coalesce(o.first > 1 and n.first > 1
                    and (left(olds[o.first - 1], 2) = 'g:' and olds[o.first - 1] = news[n.first - 1]
                            and (o.first = o.last and n.first = n.last or left(olds[o.first], 2) = 'c:')
                         or (o.first = o.last and n.first = n.last or left(olds[o.first], 2) = 'c:') and left(olds[o.last + 1], 2) in ('w:', 'c:') and olds[o.last + 1] = news[n.last + 1]), false)
      from (select min(u.n) as first, max(u.n) as last from unnest(olds) with ordinality u (t, n) where u.t = any (only_old)) o,
           (select min(u.n) as first, max(u.n) as last from unnest(news) with ordinality u (t, n) where u.t = any (only_new)) n;
end;

comment on function engram._gate_anchored(text[], text[], text[], text[]) is
'Whether what differs stands in the same place of one statement, not only behind the same subject: right after the same light verb (uses X, uses Y), or right before the same word
(the free plan, the pro plan).';
