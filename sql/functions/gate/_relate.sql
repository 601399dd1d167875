create or replace function engram._relate(incoming engram.gate_claims, ids bigint[], existing engram.gate_claims[], similarities double precision[])
    returns engram.relation
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    best record;
begin
    with near as materialized (
        select n.id, n.similarity, n.n, engram._gate_apart(existing[n.n], incoming) as rule
          from unnest(ids, similarities) with ordinality as n (id, similarity, n)
    )
    select r.verdict, w.id, w.similarity, r.confidence, w.rule, w.contrast
      into best
      from (
          select c.id, c.similarity, x.rule, x.contrast
            from (
                -- Those that say most of the same are judged in full; the others have nothing to repeat or to end.
                select n.id, n.similarity, n.n
                  from near n
                 where n.rule is null
                 order by (select count(*) from unnest(existing[n.n].tokens) as t (token)
                            where t.token in (select i.token from unnest(incoming.tokens) as i (token))) desc,
                          n.similarity desc nulls last, n.id
                 limit engram._setting_number('gate.judged')
            ) c
           cross join lateral engram._gate_weighed(existing[c.n], incoming, c.similarity) as x
          union all
          select n.id, n.similarity, n.rule, null::engram.contrast
            from near n
           where n.rule <> 'gone'
      ) w
      join engram.gate_rule r on r.rule = w.rule
     order by array_position(array['duplicate', 'contradiction', 'complement', 'distinct'], r.verdict),
              case when r.verdict in ('duplicate', 'contradiction') then r.confidence end desc nulls last,
              w.similarity desc nulls last, w.id
     limit 1;
    if best.verdict is null then
        return row('distinct', null, null, 1, 'nothing_near', '{}')::engram.relation;
    end if;
    return row(best.verdict, case when best.verdict <> 'distinct' then best.id end, best.similarity, best.confidence, best.rule,
               engram._gate_evidence(best.contrast, best.similarity, incoming.lang))::engram.relation;
end
$$;

comment on function engram._relate(engram.gate_claims, bigint[], engram.gate_claims[], double precision[]) is
'Judges an incoming text against its candidates and picks the memory that the write is about. A duplicate goes before a contradiction,
that before a complement; among equals the more certain, then the nearer one. With no candidate: distinct of nothing.';
