create unlogged table engram.consolidation_mark (
    space_id     bigint not null,
    memory_id    bigint not null,
    tenant_id    integer not null,
    model_id     integer not null references engram.embedding_model on delete cascade,
    content_hash uuid not null,
    primary key (space_id, memory_id),
    foreign key (space_id, memory_id) references engram.memory on delete cascade
);

comment on table engram.consolidation_mark is
'Which memories consolidation has looked at, by which model and with which text, so that it looks only at what is new or changed. Unlogged: after a crash of the server it looks at all again.';

create type engram.cluster as (
    kept        bigint,
    content     text,
    folded      bigint[],
    retired     bigint[],
    retired_by  bigint[],
    verdicts    jsonb,
    outcome     text,
    decision_id bigint
);

comment on type engram.cluster is
'What becomes of memories that lie close together: the one that is kept, its text with what the others add, those that are folded into it, those that a later one contradicts and which one that is, and
the verdict on each. outcome: folded, with the decision; alone, nothing was to be done; busy, a writer holds the space.';

create type engram.consolidated as (
    kept        bigint,
    content     text,
    folded      bigint[],
    retired     bigint[],
    decision_id bigint
);

comment on type engram.consolidated is
'A cluster that consolidate() settled: the memory that stays and its text now, those that were folded into it and archived, those that a later one contradicts and that are history now, and the decision.';

comment on column engram.decision.action is
'What was done: new, reinforce, replace, merge, revise, forget, expire, prune, purge, consolidate, import, undo, and others that have a function of their own.';
