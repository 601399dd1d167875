create or replace function engram._tenant_tables() returns setof regclass
    language sql stable
begin atomic
    select c.oid::regclass
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where c.relnamespace = 'engram'::regnamespace
       and c.relkind = 'r'
       and c.relname not in ('tenant', 'embedding_job', 'judgement_job')
     order by c.relname;
end;

comment on function engram._tenant_tables is
'The tables that row-level security guards: all with tenant_id, except the tenants themselves and the queues of the worker, which serve every tenant and hold no text.';
