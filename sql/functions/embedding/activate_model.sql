create or replace function engram.activate_model(name text, force boolean default false) returns text
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_model   engram.embedding_model;
    v_missing bigint;
begin
    perform pg_advisory_xact_lock(hashtextextended('engram models', 0));
    v_model := engram._known_model(activate_model.name);
    select count(*) into v_missing from engram.embedding_job j where j.model_id = v_model.model_id;

    if v_missing > 0 and not force then
        raise exception using
            errcode = 'EG009',
            message = format('model %L lacks the vectors of %s memories', name, v_missing),
            detail  = 'Until they are there, these memories would be found by text and by the static vectors only.',
            hint    = case when v_model.provider = 'caller' then 'Embed what engram.claim_embeddings(…, model => …) returns, or pass force => true.'
                           else 'Run engram-pg worker --once, look at engram.embedding_progress, or pass force => true.' end;
    end if;

    update engram.embedding_model m set active = false where m.active and m.model_id <> v_model.model_id;
    update engram.embedding_model m set active = true where m.model_id = v_model.model_id;
    if v_model.provider = 'static' then
        perform engram._fill_static(scanned => not v_model.active);
    end if;

    return v_model.name;
end
$$;

comment on function engram.activate_model is
'Makes a model the one that writes and recalls use, from this transaction''s commit on. The former model stays filled, so switching back is instant; with the static one, large
spaces are scanned exactly until maintain() has brought its vectors into the index. Raises EG003 for a name that does
not exist, EG009 while memories lack its vectors, unless force.';

revoke all on function engram.activate_model from public;
