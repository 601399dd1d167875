create or replace function engram._drop_model_functions(model_id integer) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_function regprocedure;
begin
    for v_function in
        select p.oid::regprocedure from pg_proc p
         where p.pronamespace = 'engram'::regnamespace and p.proname ~ format('^_model_%s_', model_id)
    loop
        execute format('drop function %s', v_function);
    end loop;
end
$$;

comment on function engram._drop_model_functions is 'Drops what _create_model_functions() made for a model.';

revoke all on function engram._drop_model_functions from public;
