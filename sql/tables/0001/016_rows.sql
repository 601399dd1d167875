create type engram.hit as (
    rank        integer,
    memory_id   bigint,
    content     text,
    kind        text,
    importance  double precision,
    tags        text[],
    metadata    jsonb,
    created_at  timestamptz,
    valid_from  timestamptz,
    valid_until timestamptz,
    score       double precision,
    semantic    double precision,
    lexical     double precision,
    strength    double precision,
    graph       double precision,
    legs        text[]
);

comment on type engram.hit is
'A memory that recall() found, with the parts of its score: semantic and lexical 0..1 as the profile scales them, strength now, graph the
sum of what edges, neighbours in the session and names add; legs names the legs that found it. valid_until null: still true.';

create type engram.neighbor as (
    memory_id   bigint,
    hops        integer,
    path_weight double precision,
    content     text,
    kind        text,
    state       text
);

comment on type engram.neighbor is
'A memory around another one: hops edges away, path_weight the product of the weights along the best of the shortest paths.';

create type engram.history_entry as (
    decided_at  timestamptz,
    decision_id bigint,
    action      text,
    memory_id   bigint,
    related_id  bigint,
    content     text,
    state       text,
    similarity  double precision,
    evidence    jsonb,
    before      jsonb,
    actor       text,
    undone_at   timestamptz
);

comment on type engram.history_entry is
'A decision about a memory: content and state as they are now, before the columns that it changed as they were, keyed by memory_id.';
