do $$
declare
    v_table regclass;
begin
    for v_table in select t from engram._tenant_tables() t loop
        perform engram._protect(v_table);
    end loop;
    perform engram._close_writing();
    perform engram._renew_grants();
end
$$;
