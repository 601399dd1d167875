create or replace function engram._check_static_model() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_tokens bigint := (select count(*) from engram.static_token);
    v_model  engram.embedding_model := engram._active_model();
begin
    return query values
        ('static model',
         case when v_tokens > 0 then 'ok' when v_model.provider = 'static' then 'error' else 'warning' end,
         v_tokens || ' token vectors, version ' || engram._setting_text('static_model.version'),
         'Run: engram-pg migrate'),
        ('active model',
         case when v_model.model_id is null then 'error' else 'ok' end,
         coalesce(format('%s, %s dimensions', v_model.name, v_model.dims), 'no model is active'),
         'UPDATE engram.embedding_model SET active = true WHERE name = ''static'';');
end
$$;

comment on function engram._check_static_model is 'doctor(): whether the token vectors are loaded and a model is active.';
