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
    v_space  bigint  := engram._space_of(user_id);
    v_sample integer := engram._setting_number('recall.df_sample');
    v_keys   bigint[] := array(select hashtextextended(l.lexeme, v_space)
                                 from unnest(lexemes) with ordinality as l (lexeme, term) order by l.term);
begin
    return query
        with sample as materialized (
            select k.keys from engram.lexeme_key k where k.space_id = v_space limit v_sample
        )
        select t.term::integer,
               case when s.hits >= 10 then s.hits * memories::double precision / v_sample
                    else (select count(*) from engram.lexeme_key k where k.space_id = v_space and k.keys @> array[t.key]) end
          from unnest(v_keys) with ordinality as t (key, term)
         cross join lateral (select count(*) as hits from sample p where p.keys @> array[t.key]) s;
end
$$;

comment on function engram._document_frequencies is
'In how many memories of a large space each lexeme occurs: estimated from a sample for the frequent ones, counted by the index for the rest. Runs as the owner,
as engram._postings() does, and looks only into the space of the tenant in force.';
