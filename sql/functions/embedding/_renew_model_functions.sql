create or replace function engram._renew_model_functions() returns void
    language plpgsql volatile
    set search_path from current
as $$
begin
    perform engram._create_model_functions(m.model_id) from engram.embedding_model m order by m.model_id;
end
$$;

comment on function engram._renew_model_functions is 'Makes the functions of every model anew, as this version defines them. For installers.';

revoke all on function engram._renew_model_functions from public;
