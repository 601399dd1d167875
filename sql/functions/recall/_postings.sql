create or replace function engram._postings(
    user_id    text,
    lexemes    text[],
    generating text[] default null,
    also       bigint[] default null
) returns table (memory_id bigint, term integer, count integer, length integer)
    language plpgsql stable parallel safe security definer
    rows 500
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_space      bigint   := engram._space_of(user_id);
    v_keys       bigint[] := array(select hashtextextended(l.lexeme, v_space)
                                     from unnest(lexemes) with ordinality as l (lexeme, term) order by l.term);
    v_generating bigint[] := case when generating is null then v_keys
                                  else array(select hashtextextended(l.lexeme, v_space) from unnest(generating) as l (lexeme)) end;
begin
    return query
        select k.memory_id, t.term::integer, k.counts[array_position(k.keys, t.key)]::integer, k.length
          from (select c.memory_id, c.keys, c.counts, c.length
                  from engram.lexeme_key c
                 where c.space_id = v_space and c.keys && v_generating
                 union all
                select c.memory_id, c.keys, c.counts, c.length
                  from engram.lexeme_key c
                 where c.space_id = v_space and c.memory_id = any (also) and not c.keys && v_generating) k
          join unnest(v_keys) with ordinality as t (key, term) on t.key = any (k.keys);
end
$$;

comment on function engram._postings is
'Which memories of a user contain which of the lexemes (term: place in the array), how often, and how long they are. Candidates are
the memories with at least one of generating, by default of lexemes, and those among also. Runs as the owner because lexeme_key is closed to everyone
else; it looks only into the space of the tenant in force.';
