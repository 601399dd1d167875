create or replace function engram._checked_model(name text, provider text, dims integer, options jsonb) returns void
    language plpgsql stable
    set search_path from current
as $$
declare
    v_problem text := case
        when coalesce(btrim(name), '') = '' then 'the model''s name is empty'
        when provider is null or provider not in ('static', 'sentence-transformers', 'openai', 'caller') then format('provider %L does not exist', provider)
        when dims is null or dims < 1 then format('dims is %s; it must be 1 to 4000', coalesce(dims::text, 'null'))
        when dims > 4000 then format('dims is %s; pgvector''s HNSW index on halfvec ends at 4000', dims)
        when jsonb_typeof(options) is distinct from 'object' then 'options is not a JSON object'
        when options ?| array['key', 'api_key', 'token', 'password'] then 'options holds a key, which would be stored and dumped'
    end;
begin
    if v_problem is not null then
        raise exception using
            errcode = 'EG002',
            message = v_problem,
            hint    = case when dims > 4000 then 'Ask the model for fewer dimensions: many can shorten their vectors.'
                           else 'Providers: sentence-transformers, openai, caller. A key belongs in the environment of the worker.' end;
    end if;
end
$$;

comment on function engram._checked_model is 'Raises EG002 unless the arguments describe a model that can be stored.';
