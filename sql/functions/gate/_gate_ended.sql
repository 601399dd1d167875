create or replace function engram._gate_ended(tokens text[], ends integer[], seen integer[], breaks integer[], lang text) returns text[]
    language sql immutable parallel safe
begin atomic
    with ending as materialized (
        select case when u.e < 0 then -1 - u.e else u.e end as at, u.e < 0 as whole,
               coalesce((select max(b.at) from unnest(breaks) with ordinality b (at, n) where b.n <= u.seen), 0) as opens,
               coalesce((select min(b.at) from unnest(breaks) with ordinality b (at, n) where b.n > u.seen), cardinality(tokens)) as closes
          from unnest(ends, seen) u (e, seen)
    ), follows as materialized (
        select e.at, e.whole, e.opens,
               (select min(i) from generate_series(e.at + 1, e.closes) i where lang is distinct from 'ja' and left(tokens[i], 2) <> 'g:') as place
          from ending e
    )
    select coalesce(array_agg(distinct x.t), '{}')
      from (select tokens[f.place] as t from follows f where f.place is not null
            union all
            select tokens[p.i]
              from follows f
             cross join lateral (select i, row_number() over (order by i desc) as back
                                   from generate_series(f.opens + 1, f.at) i
                                  where left(tokens[i], 2) not in ('g:', 'd:', 't:')) p
             where f.place is null and (lang is distinct from 'ja' or f.whole or p.back = 1)) x;
end;

comment on function engram._gate_ended(text[], integer[], integer[], integer[], text) is
'What each word of giving up or denying is about: what follows it in its clause (no longer plays, quit the club), or else what comes before it there (the club was dissolved). ends and breaks
count the tokens before such a word, negative for a Japanese one without an object, and before a comma; seen counts the breaks before the word.';
