create or replace function engram._consolidation_seeds(space_id bigint, model engram.embedding_model, batch integer) returns bigint[]
    language plpgsql stable
    set search_path from current
as $$
declare
    v_seeds bigint[];
begin
    execute format(
        'select array_agg(q.memory_id order by q.importance desc, q.recalls desc, q.memory_id)
           from (select m.memory_id, m.importance, coalesce(s.recalls, 0) as recalls
                   from engram.memory m
                   join %s e on e.space_id = m.space_id and e.memory_id = m.memory_id and e.content_hash = m.content_hash
                   left join engram.memory_stat s on s.space_id = m.space_id and s.memory_id = m.memory_id
                  where m.space_id = $1 and m.state = ''active'' and not m.pinned
                    and m.collection not like (select engram._setting_text(''consolidate.left_alone''))
                    and not exists (select from engram.consolidation_mark k
                                     where k.space_id = m.space_id and k.memory_id = m.memory_id
                                       and k.model_id = $2 and k.content_hash = m.content_hash)
                  order by m.importance desc, coalesce(s.recalls, 0) desc, m.memory_id
                  limit $3) q', engram._embedding_table(model.model_id))
       into v_seeds using space_id, model.model_id, batch;

    return coalesce(v_seeds, '{}');
end
$$;

comment on function engram._consolidation_seeds is
'The memories of a space that consolidation has not looked at with their present text and model, the most important first; at most batch. What has no vector yet waits, and so do pinned memories and the
collections of the setting consolidate.left_alone.';

create or replace function engram._mark_consolidated(space_id bigint, memory_id bigint, model_id integer) returns void
    language sql volatile
begin atomic
    insert into engram.consolidation_mark (space_id, memory_id, tenant_id, model_id, content_hash)
    select m.space_id, m.memory_id, m.tenant_id, _mark_consolidated.model_id, m.content_hash
      from engram.memory m
     where m.space_id = _mark_consolidated.space_id and m.memory_id = _mark_consolidated.memory_id
    on conflict on constraint consolidation_mark_pkey do update set model_id = excluded.model_id, content_hash = excluded.content_hash;
end;

comment on function engram._mark_consolidated is 'Notes that consolidation has looked at a memory.';
