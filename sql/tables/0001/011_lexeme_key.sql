create table engram.lexeme_key (
    space_id  bigint not null,
    memory_id bigint not null,
    keys      bigint[] not null,
    counts    smallint[] not null,
    length    integer not null,
    primary key (space_id, memory_id) include (length),
    foreign key (space_id, memory_id) references engram.memory on delete cascade
);

create index lexeme_key_keys on engram.lexeme_key using gin (keys) with (fastupdate = off);

comment on table engram.lexeme_key is
'The lexemes of each memory as hashes salted with the space, so that a posting list belongs to one space. No text and no
policy: row-level security would keep the GIN index from being used. Only engram._postings() reads it, for the space in force.';
comment on column engram.lexeme_key.counts is 'How often each key occurs, in the order of keys.';
comment on column engram.lexeme_key.length is 'Number of lexemes of the text, the document length of BM25.';
