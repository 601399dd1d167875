create or replace function engram._queue_all(model engram.embedding_model) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_before text := current_setting('engram.tenant', true);
    v_tenant text;
    v_step   bigint;
    v_queued bigint := 0;
begin
    if model.provider = 'static' then
        return 0;
    end if;

    for v_tenant in select t.name from engram.tenant t order by t.tenant_id loop
        perform set_config('engram.tenant', v_tenant, true);
        execute format(
            'insert into engram.embedding_job (space_id, memory_id, model_id, tenant_id, content_hash, settle)
             select m.space_id, m.memory_id, $1, m.tenant_id, m.content_hash, false
               from engram.space s
               join engram.memory m on m.space_id = s.space_id
              where s.tenant_id = $2
                and not exists (select from %s e
                                 where e.space_id = m.space_id and e.memory_id = m.memory_id and e.content_hash = m.content_hash)
              order by m.space_id, m.memory_id
             on conflict do nothing', engram._embedding_table(model.model_id))
            using model.model_id, engram.tenant_id(v_tenant);
        get diagnostics v_step = row_count;
        v_queued := v_queued + v_step;
    end loop;

    perform set_config('engram.tenant', coalesce(v_before, ''), true);
    return v_queued;
end
$$;

comment on function engram._queue_all is 'Queues, for every tenant, each memory that has no vector of its present text by a model; returns how many.';

revoke all on function engram._queue_all from public;
