create or replace function engram._import_memory(space_id bigint, entry jsonb) returns boolean
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_new   engram.memory := jsonb_populate_record(null::engram.memory, entry - 'lexemes');
    v_draft engram.draft;
    v_known engram.memory;
begin
    select * into v_known from engram.memory m where m.space_id = _import_memory.space_id and m.memory_id = engram._checked_id(v_new.memory_id);
    if found then
        if v_known.content_hash <> engram.content_hash(v_new.content) then
            raise exception using
                errcode = 'EG002',
                message = format('memory %s exists with another text', v_new.memory_id),
                hint    = 'Import an export into an empty space: pass another user_id.';
        end if;
        return false;
    end if;

    v_draft := engram._checked_draft(jsonb_populate_record(null::engram.draft, entry - '{valid_until,embedding}'::text[]));

    if not (engram._storable(v_new.valid_until) and engram._storable(v_new.updated_at) and engram._storable(v_new.reinforced_at)
            and engram._storable(v_new.expires_at)) then
        raise exception using errcode = 'EG002', message = 'a time is not in the years 1 to 9999', hint = 'Pass the rows of engram.export() as they are.';
    end if;

    insert into engram.memory (
        space_id, memory_id, tenant_id, content, content_hash, kind, importance, confidence, collection, tags, metadata, source_type, session_id,
        pinned, created_at, updated_at, reinforced_at, valid_from, valid_until, expires_at, state, superseded_by, lexemes)
    values (
        space_id, v_new.memory_id, engram._tenant_id_in_force(), v_draft.content, engram.content_hash(v_draft.content), v_draft.kind, v_draft.importance,
        v_draft.confidence, v_draft.collection, v_draft.tags, v_draft.metadata, v_draft.source_type, v_draft.session_id, v_draft.pinned,
        v_draft.created_at, coalesce(v_new.updated_at, now()), coalesce(v_new.reinforced_at, now()), v_draft.valid_from, v_new.valid_until,
        v_new.expires_at, coalesce(v_new.state, 'active'), v_new.superseded_by, '')
    returning * into v_new;
    perform engram._index_content(v_new);

    if (entry ->> 'recalls')::integer > 0 then
        insert into engram.memory_stat (space_id, memory_id, tenant_id, recalls, last_recalled_at)
        values (space_id, v_new.memory_id, v_new.tenant_id, (entry ->> 'recalls')::integer, (entry ->> 'last_recalled_at')::timestamptz);
    end if;

    return true;
end
$$;

comment on function engram._import_memory is 'Writes one exported memory with its id; false if it is there already. Raises EG002 if its id belongs to another text.';
