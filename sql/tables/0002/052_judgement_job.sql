create table engram.judgement_job (
    space_id      bigint not null,
    decision_id   bigint not null,
    tenant_id     integer not null,
    incoming_id   bigint not null,
    existing_id   bigint not null,
    incoming_hash uuid not null,
    existing_hash uuid not null,
    incoming_at   timestamptz not null,
    existing_at   timestamptz not null,
    queued_at     timestamptz not null default now(),
    attempts      integer not null default 0,
    due_at        timestamptz not null default now(),
    leased_by     text,
    last_error    text,
    failed_at     timestamptz,
    primary key (space_id, decision_id),
    foreign key (space_id, decision_id) references engram.decision on delete cascade,
    foreign key (space_id, incoming_id) references engram.memory on delete cascade,
    foreign key (space_id, existing_id) references engram.memory on delete cascade
);

create index judgement_job_due on engram.judgement_job (due_at) where failed_at is null;
create index judgement_job_incoming on engram.judgement_job (space_id, incoming_id);
create index judgement_job_existing on engram.judgement_job (space_id, existing_id);

comment on table engram.judgement_job is
'Decisions of the write gate that a language model is still to look at, while the setting judge.enabled is 1. Ids and hashes only, no text, and no policy, so that one worker
serves all tenants; closed to everyone but the owner and reached through functions.';
comment on column engram.judgement_job.incoming_at is 'When the memory that came was last changed: a judgement of what has changed since is refused.';
comment on column engram.judgement_job.due_at is 'When it may be claimed; a claim moves this to the end of the lease.';
comment on column engram.judgement_job.failed_at is 'When it was given up, after the setting judge.max_attempts.';

create type engram.judgement_claim as (
    space_id    bigint,
    decision_id bigint,
    existing    text,
    incoming    text,
    attempts    integer
);

comment on type engram.judgement_claim is 'Two texts that a worker has leased to have them judged; attempts counts this one.';
