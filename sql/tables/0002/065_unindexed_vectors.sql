do $$
declare
    v_model record;
begin
    for v_model in select m.model_id, m.name from engram.embedding_model m order by m.model_id loop
        execute format('create index embedding_%1$s_unindexed on engram.embedding_%1$s (space_id, memory_id) where not indexed', v_model.model_id);
        execute format('comment on table engram.embedding_%s is %L', v_model.model_id,
                       format('Vectors of model %s. content_hash is that of the text they were made from; indexed: whether the HNSW index holds it, as for most of a large space.',
                              v_model.name));
    end loop;
end
$$;
