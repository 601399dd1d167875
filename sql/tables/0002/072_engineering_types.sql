create type engram.task as (
    task_id    bigint,
    name       text,
    goal       text,
    status     text,
    metadata   jsonb,
    created_at timestamptz,
    updated_at timestamptz
);

comment on type engram.task is
'A task that hand-offs, failures and progress hang on. task_id is the id of the memory that holds it, so engram.history() and engram.undo() know it. status: planning, in_progress,
blocked, review, done or cancelled.';

create type engram.weighed as (
    memory_id     bigint,
    content       text,
    recalls       bigint,
    importance    double precision,
    quality_score double precision,
    decision_id   bigint
);

comment on type engram.weighed is
'A memory that session_outcome() weighed: its recalls so far, its importance now, and what it was worth, 0..1.';
