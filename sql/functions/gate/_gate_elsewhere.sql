create or replace function engram._gate_elsewhere(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims, numbered boolean) returns boolean
    language sql immutable parallel safe
begin atomic
    select exists (
        select from (select t, lead(t) over (order by n) as next from unnest(existing.tokens) with ordinality u (t, n)) o
          join (select t, n, lead(t) over (order by n) as next from unnest(incoming.tokens) with ordinality u (t, n)) i on i.next = o.next
         where left(o.t, 2) in ('w:', 'c:', 'p:', 'i:', case when numbered then 'b:' end)
           and replace(left(i.t, 2), 'c', 'w') = replace(left(o.t, 2), 'c', 'w') and left(o.next, 2) not in ('d:', 't:', 'n:')   -- starts on 2 May, moved from 2 May
           and o.t = any (c.only_old) and i.t = any (c.only_new) and o.next = any (c.shared)
           and exists (select from unnest(incoming.tokens) with ordinality r (t, n)
                        where r.t = any (c.only_new)
                          and (r.n > i.n or exists (select from unnest(incoming.tokens) with ordinality b (t, n)
                                                     where b.n > r.n and b.n < i.n and b.t <> all (c.only_new)))));
end;

comment on function engram._gate_elsewhere(engram.contrast, engram.gate_claims, engram.gate_claims, boolean) is
'Whether what changed is said of another thing: before a word that both share stands another word than before, and the new value is told somewhere else. The billing queue is Ada''s; the refund queue went from Ada to Bo.
numbered: a bare number tells things apart, too.';
