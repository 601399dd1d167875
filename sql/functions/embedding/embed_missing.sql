create or replace function engram.embed_missing(batch integer default 5000) returns bigint
    language plpgsql volatile
    set search_path from current
    set jit = off
as $$
declare
    v_model    engram.embedding_model := engram._kept_static_model();
    v_embedded bigint;
begin
    if v_model.model_id is null then
        return 0;
    end if;

    execute format(
        'select count(engram._store_vector($1, m.space_id, m.memory_id, m.tenant_id, m.content_hash, engram.embed(m.content)))
           from (select * from engram.memory m
                  where m.state <> ''archived''
                    and not exists (select from %s e
                                     where e.space_id = m.space_id and e.memory_id = m.memory_id and e.content_hash = m.content_hash)
                  order by m.space_id, m.memory_id
                  limit $2) m', engram._embedding_table(v_model.model_id))
       into v_embedded using v_model, case when batch < 0 then 0 else batch end;

    return v_embedded;
end
$$;

comment on function engram.embed_missing is
'Makes up to batch vectors of the static model that are missing or of an older text; returns how many. Call it until it returns 0. Other models are filled by the worker.';

revoke all on function engram.embed_missing from public;
