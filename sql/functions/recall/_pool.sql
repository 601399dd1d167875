create or replace function engram._pool(
    space_id  bigint,
    user_id   text,
    query     text,
    embedding double precision[],
    profile   engram.scoring_profile,
    filter    engram.memory_filter,
    k         integer
) returns table (
    memory_id bigint,
    base      double precision,
    semantic  double precision,
    lexical   double precision,
    strength  double precision,
    by_static boolean,
    by_words  boolean
)
    language plpgsql stable
    rows 500
    set search_path from current
as $$
#variable_conflict use_column
declare
    v_model    engram.embedding_model := engram._active_model();
    v_static   engram.embedding_model := engram._kept_static_model();
    v_vector   halfvec;
    v_lexemes  text[]  := case when profile.lexical_weight > 0 then engram._query_lexemes(query) else '{}' end;
    v_memories bigint;
    v_total    double precision;
    v_exact    boolean;
    v_indexed  boolean;
    v_near     bigint[];
    v_sample   bigint[];
    v_lowest   double precision;
    v_scripts  text;
    v_depth    integer := greatest(engram._setting_number('recall.rescored'), 2 * k);
begin
    if profile.semantic_weight > 0 then
        v_vector := engram._vector(query, embedding, v_model);
        if v_vector is null then
            v_model  := v_static;
            v_vector := case when v_static.model_id is not null then engram.embed(query) end;
        end if;
    end if;
    if v_model.trusted_coverage > 0 and profile.lexical_scale = 'coverage' and profile.semantic_scale = 'minmax' then
        v_scripts := engram._scripts_of(query);
    end if;
    select s.memories, s.lexemes, not s.large, s.indexed, s.sample into v_memories, v_total, v_exact, v_indexed, v_sample
      from engram._space_size(user_id) s;
    if not v_exact then
        select array_agg(n.memory_id order by n.cosine desc, n.memory_id), min(n.lowest)
          into v_near, v_lowest
          from engram._nearest(space_id, v_model, v_vector, filter, not v_indexed, greatest(engram._setting_number('recall.vector_depth')::integer, 2 * k), true) n;
        v_near   := coalesce(v_near, '{}');
        v_sample := case when v_lowest is null then v_sample end;
    end if;

    return query
        with lex as materialized (
            select * from engram._lexical_leg(space_id, user_id, v_lexemes, v_memories, v_total, filter, v_exact, k, v_near)
        ),
        measured as materialized (
            select x.*
              from engram._measure(space_id, v_model, v_vector, filter,
                       case when not v_exact then engram._candidate_ids(space_id, v_near, array(select l.memory_id from lex l order by l.bm25 desc, l.memory_id), v_sample) end, query) x
        ),
        -- trust: where not even the best candidate covers the question by its words, words are not how it is answered.
        bound as (
            select least(min(x.cosine) filter (where not x.late), v_lowest, v_model.floor) as low,
                   greatest(max(x.cosine) filter (where not x.late), engram._related_from(v_model)) as high,
                   greatest(max(x.cosine) filter (where x.late), engram._related_from(v_static)) as high_late,
                   case when profile.fallback then case when max(x.cosine) filter (where not x.late) >= v_model.recall_at
                                                        then v_model.recall_at else v_model.fallback_at end end as cut,
                   case when profile.fallback then case when max(x.cosine) filter (where x.late) >= v_static.recall_at
                                                        then v_static.recall_at else v_static.fallback_at end end as cut_late,
                   (select max(l.bm25) from lex l) as best,
                   (select max(l.coverage) from lex l) as covered,
                   coalesce((select least(max(l.coverage) / nullif(v_model.trusted_coverage, 0), 1) from lex l), 1) as trust
              from measured x
        ),
        -- What is written in another script than the question cannot share its words: its meaning says how much of the best coverage it gets.
        unreached as materialized (
            select n.memory_id
              from bound b
             cross join lateral (select x.memory_id from measured x
                                  where b.trust < 1 and not x.late
                                  order by x.cosine desc, x.memory_id limit v_depth) n
             cross join lateral (select m.content from engram.memory m where m.space_id = _pool.space_id and m.memory_id = n.memory_id offset 0) m
             where m.content !~ v_scripts
        ),
        scaled as (
            select x.memory_id, x.strength, x.late or v_model.provider = 'static' as by_static,
                   coalesce(case when x.cosine < case when x.late then b.cut_late else b.cut end then 0
                                 when profile.semantic_scale = 'cosine' then greatest(x.cosine, 0)
                                 when x.late then greatest(x.cosine - v_static.floor, 0) / (b.high_late - v_static.floor)
                                 else greatest(x.cosine - b.low, 0) / (b.high - b.low) end, 0) as semantic,
                   coalesce(case profile.lexical_scale when 'minmax' then l.bm25 / b.best else l.coverage * b.trust end, 0) as words,
                   case when u.memory_id is not null then b.covered * b.trust else 0 end as unread
              from measured x
             cross join bound b
              left join lex l using (memory_id)
              left join unreached u using (memory_id)
        )
        select s.memory_id,
               profile.lexical_weight * greatest(s.words, s.unread * s.semantic)
                   + profile.semantic_weight * s.semantic * (1 - profile.decay * (1 - least(s.strength, 1))),
               s.semantic, greatest(s.words, s.unread * s.semantic), s.strength, s.by_static, s.words > 0
          from scaled s;
end
$$;

comment on function engram._pool is
'The candidates of a recall with both legs scaled for the profile and their sum. In a space up to the setting recall.whole_limit these are all
eligible memories; above it those of engram._candidate_ids().';
