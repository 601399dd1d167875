create or replace function engram.count_spaces() returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_limit   bigint  := engram._whole_limit();
    v_from    integer := engram._setting_number('recall.frequent_from');
    v_most    integer := engram._setting_number('recall.frequent_most');
    v_sample  integer := greatest(engram._setting_number('recall.sample'), 1);
    v_space   bigint;
    v_counted bigint;
begin
    insert into engram.space_stat as known (space_id, tenant_id, memories, lexemes)
    select s.space_id, s.tenant_id, k.memories, k.lexemes
      from engram.space s
     cross join lateral (select count(*) as memories, sum(l.length) as lexemes from engram.lexeme_key l where l.space_id = s.space_id) k
     where s.tenant_id = (select engram._tenant_id_in_force())
       and (k.memories > v_limit or exists (select from engram.space_stat o where o.space_id = s.space_id))
     order by s.space_id
    on conflict (space_id) do update
       set memories = excluded.memories, lexemes = excluded.lexemes, computed_at = now();
    get diagnostics v_counted = row_count;

    for v_space in
        select s.space_id
          from engram.space_stat s
         where s.tenant_id = (select engram._tenant_id_in_force())
           and (s.frequent_of is null or abs(s.memories - s.frequent_of) > s.frequent_of / 20)
         order by s.space_id
    loop
        update engram.space_stat s
           set frequent_keys = f.keys, frequent_counts = f.counts, frequent_of = s.memories,
               sample = array(select l.memory_id
                                from (select l.memory_id, row_number() over (order by l.memory_id) as place
                                        from engram.lexeme_key l where l.space_id = v_space) l
                               where l.place % greatest(s.memories / v_sample, 1) = 0
                               order by l.memory_id)
          from (select coalesce(array_agg(d.key order by d.df desc, d.key), '{}') as keys,
                       coalesce(array_agg(d.df order by d.df desc, d.key), '{}') as counts
                  from (select u.key, count(*)::integer as df
                          from engram.lexeme_key l
                         cross join unnest(l.keys) as u (key)
                         where l.space_id = v_space
                         group by u.key
                        having count(*) >= v_from
                         order by df desc, u.key
                         limit v_most) d) f
         where s.space_id = v_space;
    end loop;

    return v_counted;
end
$$;

comment on function engram.count_spaces is
'Counts the memories and lexemes of the spaces of the tenant in force of which a recall does not score every memory into space_stat, which the lexical leg reads; returns how many spaces. What lexemes are frequent
is counted again, and a sample drawn, once a space has changed by a twentieth.';

revoke all on function engram.count_spaces from public;
