do $$
declare
    v_function record;
begin
    for v_function in
        select format('create or replace function engram.%I(%s) returns %s language plpgsql as %L',
                      p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
                      'begin raise exception using errcode = ''EG008'', message = ''engram is being upgraded''; end') as definition
          from pg_proc p
         where p.pronamespace = 'engram'::regnamespace
           and p.prosqlbody is not null
           and p.prokind = 'f'
           and exists (
               select
                 from pg_depend d
                 join pg_type t on t.oid = d.refobjid
                 left join pg_type e on e.oid = t.typelem
                 join pg_class c on c.oid in (t.typrelid, e.typrelid) and c.relkind = 'r'
                where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.refclassid = 'pg_type'::regclass)
    loop
        -- Late minor releases refuse to give a table a column with a default while such a body holds its rows.
        execute v_function.definition;
    end loop;
end
$$;
