create or replace function engram._check_vectors() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_model   engram.embedding_model := engram._active_model();
    v_missing bigint;
    v_stale   bigint;
begin
    if v_model.model_id is null then
        return;
    end if;

    execute format('select count(*) filter (where e.memory_id is null), count(*) filter (where e.content_hash <> m.content_hash)
                      from engram.memory m left join %s e using (space_id, memory_id)
                     where m.state <> ''archived''', engram._embedding_table(v_model.model_id))
       into v_missing, v_stale;

    return query values
        ('vectors',
         case when v_missing + v_stale = 0 then 'ok' else 'warning' end,
         format('%s memories without a vector of model %s, %s with one of an older text', v_missing, v_model.name, v_stale),
         case when v_model.provider = 'static' then 'SELECT engram.embed_missing();' else 'Run: engram-pg worker --once' end);
end
$$;

comment on function engram._check_vectors is 'doctor(): memories that the vector leg cannot find.';
