create unlogged table engram.memory_claims (
    space_id  bigint  not null,
    memory_id bigint  not null,
    tenant_id integer not null,
    lexicon   integer not null,
    claims    engram.gate_claims not null,
    primary key (space_id, memory_id),
    foreign key (space_id, memory_id) references engram.memory on delete cascade
);

comment on table engram.memory_claims is
'What the write gate read out of a memory, so that it need not be read again for each new text. A row that is missing, or of another lexicon, is
read anew when it is needed. Unlogged: a crash of the server loses nothing else.';
comment on column engram.memory_claims.lexicon is 'The setting gate.lexicon when it was read.';
