create or replace function engram._gate_ended(tokens text[], ends integer[], breaks integer[], lang text) returns text[]
    language sql immutable parallel safe
begin atomic
    select case when ends = '{}' then '{}' else array(
        select distinct x.t
          from unnest(ends) e (at)
         cross join lateral (
             select coalesce(n.t, (select p.t from unnest(tokens[: e.at]) with ordinality p (t, n)
                                    where left(p.t, 2) not in ('g:', 'd:', 't:') order by p.n desc limit 1)) as t
               from (select (select f.t
                               from unnest(tokens[e.at + 1 :]) with ordinality f (t, n)
                              where not exists (select from unnest(breaks) b (at) where b.at between e.at and e.at + f.n - 1)
                                and left(f.t, 2) <> 'g:' and lang is distinct from 'ja'
                              order by f.n limit 1) as t) n) x
         where x.t is not null) end;
end;

comment on function engram._gate_ended(text[], integer[], integer[], text) is
'What each word of giving up or denying is about: what follows it in its clause (no longer plays, quit the club), or else what comes before it (the club was dissolved).';
