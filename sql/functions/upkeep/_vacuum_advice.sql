create or replace function engram._vacuum_advice() returns jsonb
    language sql stable
begin atomic
    select coalesce(jsonb_agg(format('VACUUM (ANALYZE) %s.%s;', quote_ident(t.schemaname), quote_ident(t.relname)) order by t.n_dead_tup desc, t.relname), '[]')
      from pg_stat_user_tables t
     where t.schemaname = 'engram'
       and t.n_dead_tup > engram._setting_number('vacuum.dead_rows')
       and t.n_dead_tup > engram._setting_number('vacuum.dead_share') * (t.n_live_tup + t.n_dead_tup);
end;

comment on function engram._vacuum_advice is
'The statements that vacuum the tables of engram with more dead rows than the settings vacuum.dead_rows and vacuum.dead_share allow, worst first. Autovacuum does that by itself where it keeps up.';
