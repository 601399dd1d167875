create type engram.memory_filter as (
    kinds       text[],
    tags        text[],
    collections text[],
    metadata    jsonb,
    since       timestamptz,
    until       timestamptz,
    as_of       timestamptz,
    during      tstzrange
);

comment on type engram.memory_filter is
'What a recall is limited to. kinds, collections: any of them; tags: at least one of them; metadata: contains this object (jsonb @>);
since <= created_at < until; as_of: what was true then, superseded memories included. during: what is not retired and true at some time in it, be that now or not; the write gate
looks so. A null field does not filter.';
