create or replace function engram._measure(
    space_id bigint,
    model    engram.embedding_model,
    vector   halfvec,
    filter   engram.memory_filter,
    ids      bigint[] default null
) returns table (memory_id bigint, cosine double precision, strength double precision)
    language plpgsql stable parallel safe
    rows 500
    set search_path from current
    -- The planner takes a space that it has no statistics of for one row, and would join its rows in a nested loop.
    set enable_nestloop = off
as $$
begin
    if ids = '{}' then
        return;
    end if;

    -- Planned anew each time: only with the filter's values at hand does the planner know how much of the space it leaves.
    return query execute format(
        'select m.memory_id, 1 - (e.embedding <=> $2),
                engram._strength_now(m.importance, k.lambda, m.reinforced_at, s.last_recalled_at, s.recalls)
           from engram.memory m
           join engram.kind k using (kind)
           left join %s e on e.space_id = $1 and e.memory_id = m.memory_id %s
           left join engram.memory_stat s on s.space_id = $1 and s.memory_id = m.memory_id
          where m.space_id = $1
            %s
            and engram._eligible(m.state, m.valid_from, m.valid_until, m.expires_at, m.kind, m.tags, m.collection,
                                 m.metadata, m.created_at, $3)',
        engram._embedding_table(model.model_id),
        case when ids is not null then 'and e.memory_id = any ($4)' end,
        case when ids is not null then 'and m.memory_id = any ($4)' end)
        using space_id, vector, filter, ids;
end
$$;

comment on function engram._measure is
'Cosine with the question and strength now of the eligible memories of a space, or of those among ids. A memory without a vector, and a
question without one, has cosine null.';
