create or replace function engram._index_memory(
    space_id  bigint,
    memory_id bigint,
    lexemes   tsvector
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (select from engram.memory m where m.space_id = _index_memory.space_id and m.memory_id = _index_memory.memory_id
                      and m.tenant_id = engram._tenant_id_in_force()) then
        return;
    end if;

    insert into engram.lexeme_key (space_id, memory_id, keys, counts, length)
    select _index_memory.space_id, _index_memory.memory_id,
           coalesce(array_agg(hashtextextended(l.lexeme, _index_memory.space_id)), '{}'),
           coalesce(array_agg(l.count), '{}'),
           coalesce(sum(l.count) filter (where l.placed), 0)
      from (
          select u.lexeme, u.positions is not null as placed, greatest(cardinality(u.positions), 1)::smallint as count
            from unnest(_index_memory.lexemes) as u
      ) l
    on conflict on constraint lexeme_key_pkey do update
       set keys = excluded.keys, counts = excluded.counts, length = excluded.length;
end
$$;

comment on function engram._index_memory is
'Writes the keys by which the lexical leg finds a memory of the tenant in force. Whole identifiers, which have no position, do not count as length. Only writers may call it.';

revoke all on function engram._index_memory from public;

create or replace function engram._store_vector(
    model        engram.embedding_model,
    space_id     bigint,
    memory_id    bigint,
    tenant_id    integer,
    content_hash uuid,
    vector       halfvec
) returns void
    language plpgsql volatile
    set search_path from current
as $$
begin
    execute format(
        'insert into %s (space_id, memory_id, tenant_id, content_hash, embedding, indexed)
         values ($1, $2, $3, $4, $5, coalesce((select s.indexed from engram.space_stat s where s.space_id = $1), false))
         on conflict (space_id, memory_id) do update set content_hash = excluded.content_hash, embedding = excluded.embedding',
        engram._embedding_table(model.model_id))
        using space_id, memory_id, tenant_id, content_hash, vector;
end
$$;

comment on function engram._store_vector is 'Writes the vector of a memory in the table of its model.';

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
