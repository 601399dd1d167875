create table engram.job (
    job         text primary key,
    place       integer not null,
    every       interval not null check (every >= interval '0' and every <= interval '10000 years'),
    by_tenant   boolean not null,
    enabled     boolean not null default true,
    description text not null,
    customized  boolean not null default false
);

comment on table engram.job is
'What maintain() does, in the order of place. Update every or enabled to have a job run more or less often or not at all; a row that you change stays as you made it through upgrades.';
comment on column engram.job.every is 'How long after one run began the next is due; 0: at each maintain().';
comment on column engram.job.by_tenant is 'Whether it works tenant by tenant.';
comment on column engram.job.customized is 'Set by itself when a person changes the row; an upgrade then leaves it alone.';

alter table engram.job_run
    add column rows         bigint not null default 0,
    add column outcome      text check (outcome in ('done', 'partial', 'failed', 'interrupted')),
    add column error        text,
    add column pid          integer,
    add column heartbeat_at timestamptz;

update engram.job_run set outcome = 'done', rows = coalesce((detail ->> 'rows')::bigint, 0) where finished_at is not null;

create index job_run_open on engram.job_run (job) where finished_at is null;

comment on table engram.job_run is
'What the upkeep did: one row a maintain() and one for each job that it ran; while one runs, how far it is. The setting maintain.history_days says how long a row is kept, the last good run of each job for ever.';
comment on column engram.job_run.rows is 'Memories, recalls, spaces or vectors that it handled.';
comment on column engram.job_run.outcome is
'done; partial: its time was up or a space was in use, and the next maintain() goes on; failed, see error; interrupted: its session ended. Null while it runs.';
comment on column engram.job_run.error is 'SQLSTATE and message of the last error. The message of an error about data is left out, since it may quote a memory.';
comment on column engram.job_run.heartbeat_at is 'When it last said how far it is.';

create type engram.upkeep_run as (
    run_id     bigint,
    commits    boolean,
    named      boolean,
    jobs       text[],
    job        text,
    job_run_id bigint,
    tenants    text[],
    state      jsonb,
    rows       bigint,
    detail     jsonb,
    total      bigint,
    deadline   timestamptz,
    said_at    timestamptz,
    code       text,
    message    text
);

comment on type engram.upkeep_run is
'Where a maintain() is: its row of job_run, whether it commits between steps, the jobs to come, the present one with its row, the tenants to come, where it is in the first one, what it did so far, when its time is
up, and the first error.';
