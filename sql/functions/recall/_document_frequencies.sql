create or replace function engram._document_frequencies(
    user_id  text,
    lexemes  text[],
    memories bigint
) returns table (term integer, df double precision)
    language plpgsql stable parallel safe security definer
    rows 10
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_space  bigint   := engram._space_of(user_id);
    v_keys   bigint[] := array(select hashtextextended(l.lexeme, v_space)
                                 from unnest(lexemes) with ordinality as l (lexeme, term) order by l.term);
    v_known  bigint[];
    v_counts integer[];
    v_sample integer;
begin
    select s.frequent_keys, s.frequent_counts into v_known, v_counts from engram.space_stat s where s.space_id = v_space;
    if v_known is not null then
        return query
            select t.term::integer, v_counts[array_position(v_known, t.key)]::double precision
              from unnest(v_keys) with ordinality as t (key, term);
        return;
    end if;

    v_sample := engram._setting_number('recall.df_sample');
    return query
        with sample as materialized (
            select k.keys from engram.lexeme_key k where k.space_id = v_space limit v_sample
        )
        select t.term::integer, case when s.hits >= 10 then s.hits * memories::double precision / v_sample end
          from unnest(v_keys) with ordinality as t (key, term)
         cross join lateral (select count(*) as hits from sample p where p.keys @> array[t.key]) s;
end
$$;

comment on function engram._document_frequencies is
'In how many memories of a large space each lexeme occurs, as of the last maintain(), before the first one estimated from a sample; null for those that few contain, which their postings count. Runs as the owner,
as engram._postings() does, and looks only into the space of the tenant in force.';
