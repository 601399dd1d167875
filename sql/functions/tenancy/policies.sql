do $$
declare
    v_table regclass;
begin
    for v_table in
        select c.oid
          from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
         where c.relnamespace = 'engram'::regnamespace
           and c.relkind = 'r'
           and c.relname not in ('tenant', 'embedding_job', 'judgement_job')
         order by c.relname
    loop
        perform engram._protect(v_table);
    end loop;
end
$$;
