create or replace function engram._insert_memory(
    space_id bigint,
    draft    engram.draft,
    model    engram.embedding_model,
    vector   halfvec,
    settle   boolean,
    claims   engram.gate_claims default null
) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_tenant  integer  := engram._tenant_id_in_force();
    v_hash    uuid     := engram.content_hash(draft.content);
    v_lexemes tsvector := engram.lexemes(draft.content);
    v_id      bigint;
begin
    insert into engram.memory (
        space_id, tenant_id, content, content_hash, kind, importance, confidence, collection, tags, metadata,
        source_type, session_id, pinned, created_at, valid_from, valid_until, expires_at, lexemes)
    values (
        space_id, v_tenant, draft.content, v_hash, draft.kind, draft.importance, draft.confidence, draft.collection, draft.tags, draft.metadata,
        draft.source_type, draft.session_id, draft.pinned, draft.created_at, draft.valid_from, draft.valid_until, draft.expires_at, v_lexemes)
    returning memory.memory_id into v_id;

    perform engram._index_memory(space_id, v_id, v_lexemes);
    if vector is not null then
        perform engram._store_vector(model, space_id, v_id, v_tenant, v_hash, vector);
    end if;
    perform engram._embed_beside(space_id, v_id, v_tenant, draft.content, v_hash, case when vector is not null then model.model_id end, settle);
    if claims.lexicon is not null then
        insert into engram.memory_claims (space_id, memory_id, tenant_id, lexicon, claims)
        values (space_id, v_id, v_tenant, claims.lexicon, claims);
    end if;

    return v_id;
end
$$;

comment on function engram._insert_memory is 'Writes a new memory with all by which it is found; returns its id. settle: whether the write gate looks again when the vector of a model outside comes.
claims: what the gate read out of it, kept for the next time.';
