create or replace function engram.count_spaces() returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_limit   double precision := engram._setting_number('recall.exact_limit');
    v_counted bigint;
begin
    insert into engram.space_stat (space_id, tenant_id, memories, lexemes)
    select s.space_id, s.tenant_id, k.memories, k.lexemes
      from engram.space s
     cross join lateral (select count(*) as memories, sum(l.length) as lexemes from engram.lexeme_key l where l.space_id = s.space_id) k
     where s.tenant_id = (select engram._tenant_id_in_force()) and k.memories > v_limit
     order by s.space_id
    on conflict (space_id) do update
       set memories = excluded.memories, lexemes = excluded.lexemes, computed_at = now();
    get diagnostics v_counted = row_count;

    return v_counted;
end
$$;

comment on function engram.count_spaces is
'Counts the memories and lexemes of the spaces of the tenant in force above the setting recall.exact_limit into space_stat, which the lexical leg reads; returns how many spaces.';

revoke all on function engram.count_spaces from public;
