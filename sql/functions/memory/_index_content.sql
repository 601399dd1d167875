create or replace function engram._index_content(memory engram.memory, embedding double precision[] default null) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_model  engram.embedding_model := engram._active_model();
    v_hash   uuid     := engram.content_hash(memory.content);
    v_words  tsvector := engram.lexemes(memory.content);
    v_claims engram.gate_claims := engram._claims(memory.content);
    v_vector halfvec  := engram._vector(memory.content, _index_content.embedding, v_model);
begin
    update engram.memory m
       set content_hash = v_hash, lexemes = v_words
     where m.space_id = memory.space_id and m.memory_id = memory.memory_id;

    -- Not deleted, to be read when they are needed: a snapshot of before would not see those that another transaction kept meanwhile, and leave them.
    insert into engram.memory_claims (space_id, memory_id, tenant_id, lexicon, claims)
    values (memory.space_id, memory.memory_id, memory.tenant_id, v_claims.lexicon, v_claims)
        on conflict on constraint memory_claims_pkey do update
       set lexicon = excluded.lexicon, claims = excluded.claims;
    perform engram._index_memory(memory.space_id, memory.memory_id, v_words);
    if v_vector is null then
        execute format('delete from %s e where e.space_id = $1 and e.memory_id = $2', engram._embedding_table(v_model.model_id))
          using memory.space_id, memory.memory_id;
    else
        perform engram._store_vector(v_model, memory.space_id, memory.memory_id, memory.tenant_id, v_hash, v_vector);
    end if;
    perform engram._embed_beside(memory.space_id, memory.memory_id, memory.tenant_id, memory.content, v_hash,
                                 case when v_vector is not null then v_model.model_id end, false);
end
$$;

comment on function engram._index_content is 'Makes a memory whose text changed findable by its new text. Without a vector of the new text the old one goes. The write gate reads
the text when it next needs it.';
