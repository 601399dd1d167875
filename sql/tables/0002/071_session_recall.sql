alter table engram.recall_event add column session_id text;

comment on column engram.recall_event.session_id is 'The session that recalled it, if it gave its name.';

create unlogged table engram.session_recall (
    space_id    bigint not null,
    session_id  text not null,
    memory_id   bigint not null,
    tenant_id   integer not null,
    recalled_at timestamptz not null default now()
);

create index session_recall_session on engram.session_recall (space_id, session_id);
create index session_recall_age on engram.session_recall (recalled_at);

comment on table engram.session_recall is
'What was recalled in a named session, taken over from recall_event when that is folded, until session_outcome() weighs it or it is older than the setting session.kept_days. Unlogged: a crash
of the server loses at most this, never a memory.';
