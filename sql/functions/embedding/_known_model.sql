create or replace function engram._known_model(name text) returns engram.embedding_model
    language plpgsql stable
    set search_path from current
as $$
declare
    v_model engram.embedding_model;
begin
    select * into v_model from engram.embedding_model m where m.name = _known_model.name;
    if not found then
        raise exception using
            errcode = 'EG003',
            message = format('embedding model %L does not exist', _known_model.name),
            hint    = format('Use one of: %s; or add it with engram.register_model().',
                             (select string_agg(m.name, ', ' order by m.name) from engram.embedding_model m));
    end if;
    return v_model;
end
$$;

comment on function engram._known_model is 'The row of an embedding model. Raises EG003 for a name that does not exist.';
