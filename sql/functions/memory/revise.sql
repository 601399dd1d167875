create or replace function engram.revise(
    memory_id   bigint,
    content     text default null,
    user_id     text default 'default',
    kind        text default null,
    importance  double precision default null,
    collection  text default null,
    tags        text[] default null,
    metadata    jsonb default null,
    pinned      boolean default null,
    valid_from  timestamptz default null,
    valid_until timestamptz default null,
    embedding   double precision[] default null
) returns engram.remembered
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space  bigint := engram._space_of(revise.user_id);
    v_old    engram.memory;
    v_new    engram.memory;
    v_draft  engram.draft;
    v_before jsonb;
begin
    perform pg_advisory_xact_lock(v_space);
    -- Expiry does not take that one.
    perform from engram.memory m where m.space_id = v_space and m.memory_id = revise.memory_id for no key update;
    v_old := engram.get(revise.memory_id, revise.user_id);

    v_draft.content     := coalesce(revise.content, v_old.content);
    v_draft.kind        := coalesce(revise.kind, v_old.kind);
    v_draft.importance  := coalesce(revise.importance, v_old.importance);
    v_draft.collection  := coalesce(revise.collection, v_old.collection);
    v_draft.tags        := coalesce(revise.tags, v_old.tags);
    v_draft.metadata    := coalesce(revise.metadata, v_old.metadata);
    v_draft.pinned      := coalesce(revise.pinned, v_old.pinned);
    v_draft.created_at  := v_old.created_at;
    v_draft.valid_from  := coalesce(revise.valid_from, v_old.valid_from);
    -- What replaced a memory at its very start left it an empty interval, which is no fault of this call.
    v_draft.valid_until := case when revise.valid_from is not null or revise.valid_until is not null
                                then coalesce(revise.valid_until, v_old.valid_until) end;
    v_draft             := engram._checked_draft(v_draft);

    update engram.memory m
       set content = v_draft.content, kind = v_draft.kind, importance = v_draft.importance, collection = v_draft.collection,
           tags = v_draft.tags, metadata = v_draft.metadata, pinned = v_draft.pinned,
           valid_from = v_draft.valid_from, valid_until = coalesce(v_draft.valid_until, m.valid_until),
           expires_at = case when v_draft.pinned or v_old.pinned or v_draft.kind <> v_old.kind then v_draft.expires_at else m.expires_at end,
           updated_at = now(), reinforced_at = greatest(m.reinforced_at, now())
     where m.space_id = v_space and m.memory_id = v_old.memory_id
    returning * into v_new;

    if v_new.content <> v_old.content or revise.embedding is not null then
        perform engram._index_content(v_new, revise.embedding);
    end if;

    v_before := engram._changes(v_old, v_new);
    return row(v_new.memory_id, 'revise', null, null, v_before,
               engram._record(v_space, 'revise', v_new.memory_id,
                              before => jsonb_build_object(v_new.memory_id, v_before)))::engram.remembered;
end
$$;

comment on function engram.revise is
'Corrects a memory in place: what is null stays. The former values are kept in the decision, shown by engram.history() and brought back by
engram.undo(). For a fact that has changed in the world use engram.remember(), which keeps both with their times. The ranges are those
of engram.remember(). What is pinned has no time to live; another kind brings its own. Raises EG004 when this user has no such memory.';
