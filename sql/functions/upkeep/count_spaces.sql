create or replace function engram.count_spaces() returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_counted bigint;
begin
    insert into engram.space_stat (space_id, tenant_id, memories, lexemes)
    select s.space_id, s.tenant_id, k.memories, k.lexemes
      from engram.space s
      join (select l.space_id, count(*) as memories, sum(l.length) as lexemes from engram.lexeme_key l group by l.space_id) k using (space_id)
     where k.memories > (select engram._setting_number('recall.exact_limit'))
     order by s.space_id
    on conflict (space_id) do update
       set memories = excluded.memories, lexemes = excluded.lexemes, computed_at = now();
    get diagnostics v_counted = row_count;

    return v_counted;
end
$$;

comment on function engram.count_spaces is
'Counts the memories and lexemes of the spaces above the setting recall.exact_limit into space_stat, which the lexical leg reads; returns how many spaces.';

revoke all on function engram.count_spaces from public;
