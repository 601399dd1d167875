create or replace function engram._strengths(space_id bigint, filter engram.memory_filter)
    returns table (memory_id bigint, strength double precision)
    language sql stable parallel safe
begin atomic
    select m.memory_id, engram._strength_now(m.importance, k.lambda, m.reinforced_at, s.last_recalled_at, s.recalls)
      from engram.memory m
      join engram.kind k using (kind)
      left join engram.memory_stat s on s.space_id = _strengths.space_id and s.memory_id = m.memory_id
     where m.space_id = _strengths.space_id
       and engram._eligible(m.state, m.valid_from, m.valid_until, m.expires_at, m.kind, m.tags, m.collection,
                            m.metadata, m.created_at, _strengths.filter);
end;

comment on function engram._strengths is 'The eligible memories of a space with their strength now.';
