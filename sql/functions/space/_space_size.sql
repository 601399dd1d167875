create or replace function engram._space_size(
    user_id text,
    out memories bigint,
    out lexemes  double precision,
    out large    boolean,
    out indexed  boolean
)
    language plpgsql stable parallel safe security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_space bigint := engram._space_of(user_id);
    v_limit bigint := engram._setting_number('recall.exact_limit');
    v_stat  engram.space_stat;
begin
    select count(*), sum(k.length)
      into memories, lexemes
      from (select l.length from engram.lexeme_key l where l.space_id = v_space limit v_limit + 1) k;
    large   := memories > v_limit;
    indexed := false;

    if large then
        select * into v_stat from engram.space_stat s where s.space_id = v_space;
        indexed := coalesce(v_stat.indexed, false);
        if v_stat.memories > memories then
            memories := v_stat.memories;
            lexemes  := v_stat.lexemes;
        else
            select count(*), sum(l.length) into memories, lexemes from engram.lexeme_key l where l.space_id = v_space;
        end if;
    end if;
end
$$;

comment on function engram._space_size is
'Memories and total document length of a space; whether it is large, above the setting recall.exact_limit, and whether its vectors are in the HNSW index. Counted exactly up to
the limit; above it as of the last maintain(), if there was one.';
