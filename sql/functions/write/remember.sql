create or replace function engram.remember(
    content     text,
    user_id     text default 'default',
    kind        text default 'fact',
    importance  double precision default 0.5,
    collection  text default 'default',
    tags        text[] default '{}',
    metadata    jsonb default '{}',
    source_type text default null,
    session_id  text default null,
    valid_from  timestamptz default null,
    valid_until timestamptz default null,
    created_at  timestamptz default null,
    embedding   double precision[] default null,
    policy      text default null
) returns engram.remembered
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    v_draft engram.draft;
begin
    v_draft.content     := content;
    v_draft.kind        := kind;
    v_draft.importance  := importance;
    v_draft.collection  := collection;
    v_draft.tags        := tags;
    v_draft.metadata    := metadata;
    v_draft.source_type := source_type;
    v_draft.session_id  := session_id;
    v_draft.valid_from  := valid_from;
    v_draft.valid_until := valid_until;
    v_draft.created_at  := created_at;
    v_draft.embedding   := embedding;

    return engram._remember(user_id, v_draft, policy);
end
$$;

comment on function engram.remember is
'Remembers a text for a user, in the caller''s transaction, and says what became of it (see type engram.remembered).
content: up to the setting content.max_bytes, 64 KiB. kind: a row of engram.kind. importance 0..1. created_at: when it was said, by default now, while strength
counts from the moment of storing;
valid_from and valid_until: when it is true, by default from created_at on. session_id: memories of one session are linked in order.
embedding: the vector of the active model, by default made from the text. policy: by default that of the kind in
engram.write_policy. resolve finds repeats and contradictions under a lock on the space held until commit; reject does too and refuses a duplicate; merge does too and lets a text that
repeats all clauses of a memory and adds some take its place; append writes the text as it is, without a lock.
Raises EG001 for content, EG002 for another argument, EG003 for an unknown kind, EG005 for a vector, EG006 without a tenant.';
