create or replace function engram.advance_sequences() returns void
    language plpgsql volatile
    set search_path from current
    set row_security = off
as $$
declare
    v_source record;
begin
    for v_source in
        select a.attrelid::regclass as source, a.attname as id, pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)::regclass as sequence
          from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped
         where c.relnamespace = 'engram'::regnamespace
         order by c.relname
    loop
        execute format('select setval(%1$L, m.most)
                          from (select max(%2$I) as most from %3$s where %2$I <= $1) m, %1$s s
                         where m.most >= s.last_value',
                       v_source.sequence, v_source.id, v_source.source)
            using engram._greatest_id() / 2;
    end loop;
end
$$;

comment on function engram.advance_sequences is
'Moves every id sequence past the highest id of its table, over all tenants: for a replica that takes over after logical replication, which carries rows and no sequences. Run it before anyone writes there.
In multi-tenant mode by a role that passes row-level security, else it is refused. A sequence never goes back.';

revoke all on function engram.advance_sequences from public;
