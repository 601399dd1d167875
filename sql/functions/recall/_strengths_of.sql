create or replace function engram._strengths_of(space_id bigint, ids bigint[], filter engram.memory_filter)
    returns table (memory_id bigint, strength double precision)
    language plpgsql stable parallel safe
    rows 500
    set search_path from current
    set enable_seqscan = off
as $$
#variable_conflict use_column
begin
    -- Lateral with offset 0: each row is looked up by its whole key, whatever the planner knows of the space.
    return query
        select m.memory_id, engram._strength_now(m.importance, k.lambda, m.reinforced_at, s.last_recalled_at, s.recalls)
          from unnest(_strengths_of.ids) as i (id)
         cross join lateral (select * from engram.memory m where m.space_id = _strengths_of.space_id and m.memory_id = i.id offset 0) m
          join engram.kind k using (kind)
          left join lateral (select r.last_recalled_at, r.recalls from engram.memory_stat r
                              where r.space_id = _strengths_of.space_id and r.memory_id = i.id offset 0) s on true
         where engram._eligible(m.state, m.valid_from, m.valid_until, m.expires_at, m.kind, m.tags, m.collection,
                                m.metadata, m.created_at, _strengths_of.filter);
end
$$;

comment on function engram._strengths_of is 'The eligible ones among some memories of a space with their strength now.';
