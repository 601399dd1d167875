create or replace function engram._space_size(
    user_id text,
    out memories bigint,
    out lexemes  double precision,
    out large    boolean,
    out indexed  boolean,
    out sample   bigint[]
)
    language plpgsql stable parallel safe security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_space bigint := engram._space_of(user_id);
    v_whole bigint := engram._whole_limit();
begin
    select s.memories, s.lexemes, s.indexed and s.memories > engram._setting_number('recall.exact_limit'), s.sample
      into memories, lexemes, indexed, sample
      from engram.space_stat s
     where s.space_id = v_space;
    if memories is null or memories <= v_whole then
        indexed := false;
        select count(*), sum(k.length)
          into memories, lexemes
          from (select l.length from engram.lexeme_key l where l.space_id = v_space limit v_whole + 1) k;
        if memories > v_whole then
            select count(*), sum(l.length) into memories, lexemes from engram.lexeme_key l where l.space_id = v_space;
        end if;
    end if;
    large := memories > v_whole;
end
$$;

comment on function engram._space_size is
'Memories and total document length of a space; whether it is large, so that a recall scores candidates; whether it is above the setting recall.exact_limit and its vectors are in the HNSW index; and a sample of a large one.
Of a large space as of the last maintain(); counted where that knows of none, with sample null.';
