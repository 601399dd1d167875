create table engram.embedding_job (
    space_id     bigint not null,
    memory_id    bigint not null,
    model_id     integer not null references engram.embedding_model on delete cascade,
    tenant_id    integer not null,
    content_hash uuid not null,
    settle       boolean not null,
    attempts     integer not null default 0,
    due_at       timestamptz not null default now(),
    leased_by    text,
    last_error   text,
    failed_at    timestamptz,
    primary key (space_id, memory_id, model_id),
    foreign key (space_id, memory_id) references engram.memory on delete cascade
);

create index embedding_job_due on engram.embedding_job (model_id, due_at) where failed_at is null;
create index embedding_job_failed on engram.embedding_job (model_id) where failed_at is not null;

comment on table engram.embedding_job is
'What is still to be embedded: for each model outside the database, every memory has either a vector of its present text or a row here. Ids and hashes
only, no text, and no policy, so that one worker serves all tenants; closed to everyone but the owner and reached through functions.';
comment on column engram.embedding_job.settle is 'Whether the write gate looks for repeats again when the vector comes.';
comment on column engram.embedding_job.due_at is 'When it may be claimed; a claim moves this to the end of the lease.';
comment on column engram.embedding_job.failed_at is 'When it was given up, after the setting embedding.max_attempts.';
