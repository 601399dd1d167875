create or replace function engram._as_draft(memory engram.memory) returns engram.draft
    language plpgsql immutable
    set search_path from current
as $$
declare
    v_draft engram.draft;
begin
    v_draft.content     := memory.content;
    v_draft.kind        := memory.kind;
    v_draft.importance  := memory.importance;
    v_draft.confidence  := memory.confidence;
    v_draft.collection  := memory.collection;
    v_draft.tags        := memory.tags;
    v_draft.metadata    := memory.metadata;
    v_draft.source_type := memory.source_type;
    v_draft.session_id  := memory.session_id;
    v_draft.pinned      := memory.pinned;
    v_draft.valid_from  := memory.valid_from;
    v_draft.valid_until := memory.valid_until;
    v_draft.created_at  := memory.created_at;
    v_draft.expires_at  := memory.expires_at;
    return v_draft;
end
$$;

comment on function engram._as_draft is 'A memory as the write gate sees one that arrives.';
