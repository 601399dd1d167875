create or replace function engram._lexical_leg(
    space_id bigint,
    user_id  text,
    lexemes  text[],
    memories bigint,
    total    double precision,
    filter   engram.memory_filter,
    exact    boolean
) returns table (memory_id bigint, bm25 double precision, coverage double precision)
    language plpgsql stable parallel safe
    rows 500
    set search_path from current
as $$
declare
    v_k1      double precision := engram._setting_number('bm25.k1');
    v_b       double precision := engram._setting_number('bm25.b');
    v_average double precision := total / nullif(memories, 0);
begin
    return query
        with posting as materialized (
            select * from engram._postings(user_id, lexemes)
        ),
        term as materialized (
            select t.term, ln(1 + (memories - coalesce(f.df, 0) + 0.5) / (coalesce(f.df, 0) + 0.5)) as idf
              from generate_subscripts(lexemes, 1) as t (term)
              left join (select p.term, least(count(*), memories) as df from posting p group by p.term) f using (term)
        )
        select p.memory_id,
               sum(t.idf * p.count * (v_k1 + 1) / (p.count + v_k1 * (1 - v_b + v_b * p.length / v_average))),
               sum(t.idf * p.count * (v_k1 + 1) / (p.count + v_k1 * (1 - v_b + v_b * p.length / v_average)))
                   / (select sum(i.idf) * (v_k1 + 1) from term i)
          from posting p
          join term t using (term)
         group by p.memory_id;
end
$$;

comment on function engram._lexical_leg is
'BM25 of every memory of a space that shares a lexeme with the question, with the space''s own statistics, and its coverage: BM25
divided by the most the question could score, Σ idf·(k1 + 1).  Source: Robertson and Zaragoza, 2009.';
