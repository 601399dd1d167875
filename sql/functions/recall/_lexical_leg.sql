create or replace function engram._lexical_leg(
    space_id bigint,
    user_id  text,
    lexemes  text[],
    memories bigint,
    total    double precision,
    filter   engram.memory_filter,
    exact    boolean,
    k        integer,
    also     bigint[] default null
) returns table (memory_id bigint, bm25 double precision, coverage double precision)
    language plpgsql stable parallel safe
    rows 500
    set search_path from current
as $$
declare
    v_k1         double precision := engram._setting_number('bm25.k1');
    v_b          double precision := engram._setting_number('bm25.b');
    v_average    double precision := greatest(total, 1) / nullif(memories, 0);
    v_rare       double precision := greatest(engram._setting_number('recall.frequent_from'), 1) / 2;
    v_df         double precision[];
    v_generating text[];
begin
    if lexemes = '{}' then
        return;
    end if;

    if not exact then
        select array_agg(f.df order by f.term),
               array_agg(lexemes[f.term]) filter (where f.place = 1 or f.reach <= engram._setting_number('recall.lexical_reach'))
          into v_df, v_generating
          from (select d.term, d.df, row_number() over rarest as place, sum(coalesce(d.df, v_rare)) over rarest as reach
                  from engram._document_frequencies(user_id, lexemes, memories) d
                window rarest as (order by d.df nulls first, d.term)) f;
    end if;

    return query
        with posting as materialized (
            select * from engram._postings(user_id, lexemes, v_generating, also)
        ),
        frequency as (
            select p.term, count(*) as df from posting p where v_df[p.term] is null group by p.term
        ),
        term as (
            select t.term, ln(1 + (memories - d.df + 0.5) / (d.df + 0.5)) as idf
              from generate_subscripts(lexemes, 1) as t (term)
              left join frequency f using (term)
             cross join lateral (select least(coalesce(v_df[t.term], f.df, 0), memories) as df) d
        ),
        weight as materialized (
            select array_agg(t.idf * (v_k1 + 1) order by t.term) as ideal from term t
        ),
        scored as (
            select p.memory_id,
                   sum((select w.ideal from weight w)[p.term] * p.count
                       / (p.count + v_k1 * (1 - v_b + v_b * p.length / v_average))) as bm25
              from posting p
             group by p.memory_id
        ),
        -- Sorted first: only so many of the best are looked up as it takes to fill the limit.
        best as materialized (
            select s.memory_id
              from (select c.memory_id, c.bm25 from scored c where not exact order by c.bm25 desc, c.memory_id) s
             where exists (select from engram.memory m
                            where m.space_id = _lexical_leg.space_id and m.memory_id = s.memory_id
                              and engram._eligible(m.state, m.valid_from, m.valid_until, m.expires_at, m.kind, m.tags, m.collection,
                                                   m.metadata, m.created_at, filter) offset 0)
             order by s.bm25 desc, s.memory_id
             limit greatest(engram._setting_number('recall.lexical_depth'), 2 * k)
        )
        select s.memory_id, s.bm25, s.bm25 / (select sum(f.idf) from weight w, unnest(w.ideal) as f (idf))
          from scored s
         where exact or s.memory_id = any (also) or s.memory_id in (select b.memory_id from best b);
end
$$;

comment on function engram._lexical_leg is
'BM25 of the memories of a space that share a lexeme with the question, with the space''s own statistics, and its coverage: BM25 divided by the most the
question could score, Σ idf·(k1 + 1). exact: all of them, whatever the filter, which the pool then applies. Else candidates come from the most selective
lexemes, in no more memories together than the setting recall.lexical_reach says, but from one at least; all lexemes score; the best eligible ones are returned, and those among also. Source: Robertson and Zaragoza, 2009.';
