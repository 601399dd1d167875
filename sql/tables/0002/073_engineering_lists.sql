create type engram.feature as (
    feature       text,
    status        text,
    completion    double precision,
    blockers      text[],
    quality_score double precision,
    notes         text,
    task_id       bigint,
    memory_id     bigint,
    since         timestamptz
);

comment on type engram.feature is
'Where a feature stands since a moment, as track_progress() was told last. memory_id is the memory that holds this state, so engram.history() shows those before and engram.undo() goes back;
task_id the task that the feature hangs on.';

create type engram.failure as (
    memory_id        bigint,
    component        text,
    error            text,
    severity         text,
    root_cause       text,
    fix              text,
    related_test_ids text[],
    occurrences      integer,
    last_seen        timestamptz,
    task_id          bigint
);

comment on type engram.failure is
'What went wrong in a component, as track_failure() was told: how often and when it was seen last, its cause and its fix where they are known.';
