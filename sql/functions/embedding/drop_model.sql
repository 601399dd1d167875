create or replace function engram.drop_model(name text) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_model   engram.embedding_model;
    v_vectors bigint;
begin
    perform pg_advisory_xact_lock(hashtextextended('engram models', 0));
    v_model := engram._known_model(drop_model.name);
    if v_model.active or v_model.provider = 'static' then
        raise exception using
            errcode = 'EG009',
            message = format('model %L %s', name, case when v_model.provider = 'static' then 'ships with engram' else 'is active' end),
            hint    = case when v_model.active and v_model.provider <> 'static' then 'Activate another one first: SELECT engram.activate_model(''static'');'
                           else 'To stop filling it beside another model: SELECT engram.configure(''static.keep_filled'', ''0'');' end;
    end if;

    -- To drop a table is to change the one it refers to, which writers lock first.
    lock table engram.memory in access exclusive mode;
    execute format('select count(*) from %s', engram._embedding_table(v_model.model_id)) into v_vectors;
    execute format('drop table %s', engram._embedding_table(v_model.model_id));
    perform engram._drop_model_functions(v_model.model_id);
    delete from engram.embedding_model m where m.model_id = v_model.model_id;

    return v_vectors;
end
$$;

comment on function engram.drop_model is
'Removes a model with its vectors and its queue; returns how many vectors there were (of the tenant in force). Raises EG009 for the active model and for the shipped one.';

revoke all on function engram.drop_model from public;
