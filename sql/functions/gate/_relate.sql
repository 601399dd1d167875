create or replace function engram._relate(incoming engram.gate_claims, ids bigint[], existing engram.gate_claims[], similarities double precision[])
    returns engram.relation
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    relation engram.relation;
begin
    select j.verdict, c.id, c.similarity, j.confidence, j.rule, j.evidence
      into relation
      from unnest(ids, similarities) with ordinality as c (id, similarity, n)
     cross join lateral engram._judge(existing[c.n], incoming, c.similarity) as j
     where (existing[c.n]).tokens is not null
     order by array_position(array['duplicate', 'contradiction', 'complement', 'distinct'], j.verdict),
              case when j.verdict in ('duplicate', 'contradiction') then j.confidence end desc nulls last,
              c.similarity desc nulls last, c.id
     limit 1;
    if relation.verdict is null then
        relation.verdict    := 'distinct';
        relation.confidence := 1;
        relation.rule       := 'nothing_near';
        relation.evidence   := '{}';
    elsif relation.verdict = 'distinct' then
        relation.memory_id := null;
    end if;
    return relation;
end
$$;

comment on function engram._relate(engram.gate_claims, bigint[], engram.gate_claims[], double precision[]) is
'Judges an incoming text against its candidates and picks the memory that the write is about. A duplicate goes before a contradiction,
that before a complement; among equals the more certain, then the nearer one. With no candidate: distinct of nothing.';
