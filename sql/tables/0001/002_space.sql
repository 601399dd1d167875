create table engram.tenant (
    tenant_id  integer primary key,
    name       text not null unique check (name <> ''),
    created_at timestamptz not null default now()
);

comment on table engram.tenant is
'The tenants that have written here. tenant_id is engram.tenant_id(name), so a client can compute it.';

create table engram.space (
    space_id   bigint primary key,
    tenant_id  integer not null references engram.tenant,
    user_id    text not null check (user_id <> ''),
    created_at timestamptz not null default now()
);

comment on table engram.space is
'One owner of memories: a user of a tenant. space_id is engram.space_id(user_id, tenant), so a client can compute it; a
collision of two names is refused when the second space opens.';

create table engram.space_stat (
    space_id    bigint primary key references engram.space on delete cascade,
    tenant_id   integer not null,
    memories    bigint not null,
    lexemes     bigint not null,
    indexed     boolean not null default false,
    computed_at timestamptz not null default now()
);

comment on table engram.space_stat is
'Number of memories and of lexemes of a large space, as of the last maintain(). Only the lexical leg of a space above the
setting recall.exact_limit reads it; smaller spaces are counted exactly.';
comment on column engram.space_stat.indexed is
'Whether the vectors of the space are in the HNSW index, so that recall may use it. A small space is scanned exactly, and its writes cost no index.';
