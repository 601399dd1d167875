create or replace function engram._ranked(
    space_id  bigint,
    user_id   text,
    query     text,
    embedding double precision[],
    profile   engram.scoring_profile,
    filter    engram.memory_filter,
    k         integer
) returns table (
    memory_id bigint,
    score     double precision,
    semantic  double precision,
    lexical   double precision,
    strength  double precision,
    graph     double precision,
    by_static boolean,
    by_words  boolean
)
    language plpgsql stable
    rows 100
    set search_path from current
as $$
#variable_conflict use_column
declare
    v_depth   integer := greatest(engram._setting_number('recall.rescored'), 2 * _ranked.k);
    v_seeds   integer := engram._setting_number('recall.seeds');
    v_fan_out integer := engram._setting_number('recall.fan_out');
    v_before  double precision := engram._setting_number('recall.before_share');
    v_names   text[]  := case when profile.name_weight > 0 then engram._names(query) else '{}' end;
begin
    -- Lateral with offset 0: each lookup goes by the whole key, also in a space that the planner has no statistics of.
    return query
        with pool as materialized (
            select * from engram._pool(space_id, user_id, query, embedding, profile, filter, _ranked.k)
        ),
        top as materialized (
            select p.* from pool p order by p.base desc, p.memory_id limit v_depth
        ),
        path as (
            select x.memory_id, x.path_weight
              from engram._expand(space_id, array(select t.memory_id from top t order by t.base desc, t.memory_id limit v_seeds),
                                  case when profile.graph_weight > 0 then 2 else 0 end, v_fan_out) x
        ),
        turn as (
            select b.beside as memory_id, max(case when b.later then t.base else t.base * v_before end) as base
              from top t
              join engram._turns_beside(space_id, array(select t.memory_id from top t where profile.neighbor_weight > 0)) b using (memory_id)
             group by b.beside
        ),
        named as (
            select t.memory_id
              from top t
             cross join lateral (select m.content, m.metadata from engram.memory m
                                  where m.space_id = _ranked.space_id and m.memory_id = t.memory_id offset 0) m
             where v_names <> '{}'
               and engram._teller(m.content, m.metadata) = any (v_names)
        ),
        lifted as (
            select p.memory_id, p.base, p.semantic, p.lexical, p.strength, p.by_static, p.by_words,
                   profile.graph_weight * coalesce(x.path_weight, 0)
                 + profile.neighbor_weight * coalesce(n.base, 0)
                 + case when d.memory_id is null then 0 else profile.name_weight end as graph
              from (select t.memory_id from top t union select x.memory_id from path x union select n.memory_id from turn n) r
              join pool p using (memory_id)
              left join path x using (memory_id)
              left join turn n using (memory_id)
              left join named d using (memory_id)
        )
        select l.memory_id, l.base + l.graph, l.semantic, l.lexical, l.strength, l.graph, l.by_static, l.by_words
          from lifted l
         order by l.base + l.graph desc, l.memory_id
         limit _ranked.k;
end
$$;

comment on function engram._ranked is
'The k best memories of a recall: the pool, lifted by the graph leg (paths from the best hits, neighbours in the session, names met).';
