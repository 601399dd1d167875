create or replace function engram._candidate_ids(
    space_id bigint,
    model    engram.embedding_model,
    vector   halfvec,
    indexed  boolean,
    filter   engram.memory_filter,
    lexical  bigint[],
    k        integer
) returns bigint[]
    language plpgsql stable
    set search_path from current
as $$
declare
    v_seeds integer  := engram._setting_number('recall.seeds');
    v_near  bigint[] := array(
        select n.memory_id
          from engram._nearest(space_id, model, vector, filter, not indexed, greatest(engram._setting_number('recall.vector_depth')::integer, k)) n
         order by n.cosine desc, n.memory_id);
begin
    return array(
        select f.id from unnest(v_near || lexical) as f (id)
        union
        select x.memory_id
          from engram._expand(space_id, v_near[1:v_seeds] || lexical[1:v_seeds], 2, engram._setting_number('recall.fan_out')::integer) x
        union
        select n.id
          from unnest(v_near || lexical) as f (id)
         cross join lateral (
             select e.dst as id from engram.edge e where e.space_id = _candidate_ids.space_id and e.src = f.id and e.relation = 'next'
             union all
             select e.src from engram.edge e where e.space_id = _candidate_ids.space_id and e.dst = f.id and e.relation = 'next'
             offset 0) n);
end
$$;

comment on function engram._candidate_ids is
'The candidates of a recall in a space too large to scan: the nearest, by HNSW once the space is indexed, the best by BM25 (lexical, best first), what the graph reaches from the best of
both, and the turns before and after in their sessions.';
