create table engram.origin (
    space_id     bigint not null,
    source       text not null check (source <> ''),
    source_id    text not null check (source_id <> ''),
    tenant_id    integer not null,
    memory_id    bigint not null,
    content_hash uuid not null,
    adopted_at   timestamptz not null default now(),
    primary key (space_id, source, source_id),
    foreign key (space_id, memory_id) references engram.memory on delete cascade
);

create index origin_memory on engram.origin (space_id, memory_id);

comment on table engram.origin is
'Which memory of another system became which memory here, so that moving in again adds nothing. Written by engram.adopt().';
comment on column engram.origin.source is 'The other system, such as mcp-engram.';
comment on column engram.origin.source_id is 'What names the memory there.';
comment on column engram.origin.content_hash is 'engram.content_hash() of the text as it was there when it last came over.';
