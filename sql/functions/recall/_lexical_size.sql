create or replace function engram._lexical_size(user_id text, out memories bigint, out lexemes double precision)
    language plpgsql stable parallel safe security definer
    set search_path from current
as $$
declare
    v_space bigint := engram._space_of(user_id);
    v_limit bigint := engram._setting_number('recall.exact_limit');
begin
    select count(*), sum(k.length)
      into memories, lexemes
      from (select l.length from engram.lexeme_key l where l.space_id = v_space limit v_limit + 1) k;

    if memories > v_limit then
        select greatest(s.memories, _lexical_size.memories), greatest(s.lexemes, _lexical_size.lexemes)
          into memories, lexemes
          from engram.space_stat s
         where s.space_id = v_space;

        if not found then
            select count(*), sum(l.length) into memories, lexemes from engram.lexeme_key l where l.space_id = v_space;
        end if;
    end if;
end
$$;

comment on function engram._lexical_size is
'Memories and total document length of a space, for BM25 and to choose between exact scan and index. Counted exactly up to the setting
recall.exact_limit; above it as of the last maintain(), if there was one.';
