create or replace function engram._relate(incoming text, ids bigint[], contents text[], similarities double precision[]) returns engram.relation
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    claims   engram.gate_claims := engram._claims(incoming);
    relation engram.relation;
begin
    select j.verdict, c.id, c.similarity, j.confidence, j.rule, j.evidence
      into relation
      from unnest(ids, contents, similarities) as c (id, content, similarity)
     cross join lateral engram._judge(engram._claims(c.content), claims, c.similarity) as j
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

comment on function engram._relate(text, bigint[], text[], double precision[]) is
'Judges an incoming text against its candidates and picks the memory that the write is about. A duplicate goes before a contradiction,
that before a complement; among equals the more certain, then the nearer one. With no candidate: distinct of nothing.';
