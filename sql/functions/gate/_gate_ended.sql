create or replace function engram._gate_ended(tokens text[], ends integer[], breaks integer[], lang text) returns text[]
    language sql immutable parallel safe
begin atomic
    select case when ends = '{}' then '{}' else array(
        select distinct x.t
          from (select case when e < 0 then -1 - e else e end as at, e < 0 as whole from unnest(ends) e) e
         cross join lateral (select tokens[i] as t
                               from generate_series(e.at + 1, cardinality(tokens)) i
                              where lang is distinct from 'ja' and left(tokens[i], 2) <> 'g:'
                                and not exists (select from unnest(breaks) b (at) where b.at between e.at and i - 1)
                              order by i limit 1) x
         union
        select tokens[i]
          from (select case when e < 0 then -1 - e else e end as at, e < 0 as whole from unnest(ends) e) e
         cross join lateral (select i, row_number() over (order by i desc) as back
                               from generate_series(coalesce((select max(b.at) from unnest(breaks) b (at) where b.at < e.at), 0) + 1, e.at) i
                              where left(tokens[i], 2) not in ('g:', 'd:', 't:')) p
         where (lang is distinct from 'ja' or e.whole or p.back = 1)
           and not exists (select from generate_series(e.at + 1, cardinality(tokens)) i
                            where lang is distinct from 'ja' and left(tokens[i], 2) <> 'g:'
                              and not exists (select from unnest(breaks) b (at) where b.at between e.at and i - 1))) end;
end;

comment on function engram._gate_ended(text[], integer[], integer[], text) is
'What each word of giving up or denying is about: what follows it in its clause (no longer plays, quit the club), or else what comes before it there (the club was dissolved). ends and breaks
count the tokens before such a word, negative for a Japanese one without an object, and before a comma.';
