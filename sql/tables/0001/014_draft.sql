create type engram.draft as (
    content     text,
    kind        text,
    importance  double precision,
    confidence  double precision,
    collection  text,
    tags        text[],
    metadata    jsonb,
    source_type text,
    session_id  text,
    pinned      boolean,
    valid_from  timestamptz,
    valid_until timestamptz,
    created_at  timestamptz,
    expires_at  timestamptz,
    embedding   double precision[]
);

comment on type engram.draft is 'A memory as it arrives at engram.remember(), before the write gate.';

create type engram.remembered as (
    memory_id   bigint,
    action      text,
    related_id  bigint,
    similarity  double precision,
    evidence    jsonb,
    decision_id bigint
);

comment on type engram.remembered is
'What became of a text. action new: memory_id is the new memory; reinforce: memory_id is the one that said it already; replace: memory_id is
new, related_id the one that it retired. evidence says why; engram.undo(decision_id) reverses it.';
