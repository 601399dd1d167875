create or replace function engram._embed_missing(tenant_id integer, batch integer) returns bigint
    language plpgsql volatile
    set search_path from current
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
           from (select m.*
                   from engram.space s
                   join engram.memory m on m.space_id = s.space_id
                  where ($3 is null or s.tenant_id = $3)
                    and m.state <> ''archived''
                    and not exists (select from %s e
                                     where e.space_id = m.space_id and e.memory_id = m.memory_id and e.content_hash = m.content_hash)
                  order by m.space_id, m.memory_id
                  limit $2) m', engram._embedding_table(v_model.model_id))
       into v_embedded using v_model, batch, tenant_id;

    return v_embedded;
end
$$;

comment on function engram._embed_missing is
'Makes up to batch vectors of the static model that are missing or of an older text, of one tenant or, where that is null, of all that this session sees; returns how many.';

revoke all on function engram._embed_missing from public;
