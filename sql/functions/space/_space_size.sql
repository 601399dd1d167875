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
    v_limit bigint := engram._setting_number('recall.exact_limit');
begin
    select s.memories, s.lexemes, s.indexed, s.sample into memories, lexemes, indexed, sample from engram.space_stat s where s.space_id = v_space;
    if memories is null or memories <= v_limit then
        indexed := false;
        select count(*), sum(k.length)
          into memories, lexemes
          from (select l.length from engram.lexeme_key l where l.space_id = v_space limit v_limit + 1) k;
        if memories > v_limit then
            select count(*), sum(l.length) into memories, lexemes from engram.lexeme_key l where l.space_id = v_space;
        end if;
    end if;
    large := memories > v_limit;
end
$$;

comment on function engram._space_size is
'Memories and total document length of a space; whether it is large, above the setting recall.exact_limit, whether its vectors are in the HNSW index, and a sample of them. Of a large space as of the last maintain(); counted where that knows of none.';
