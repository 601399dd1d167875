create table engram.edge (
    space_id   bigint not null,
    src        bigint not null,
    relation   text not null check (relation <> ''),
    dst        bigint not null,
    tenant_id  integer not null,
    weight     double precision not null check (weight > 0 and weight <= 1),
    created_at timestamptz not null default now(),
    primary key (space_id, src, relation, dst),
    foreign key (space_id, src) references engram.memory on delete cascade,
    foreign key (space_id, dst) references engram.memory on delete cascade,
    check (src <> dst)
);

create index edge_back on engram.edge (space_id, dst, relation, src);

comment on table engram.edge is
'Directed relations of memories of one space. The gate writes similar, next, supersedes, complements and contradicts;
engram.link() writes any.';
comment on column engram.edge.weight is 'Strength of the relation, above 0 and up to 1; the cosine for similar.';
