create table engram.embedding_model (
    model_id      integer primary key,
    name          text not null unique,
    provider      text not null check (provider in ('static', 'sentence-transformers', 'openai', 'caller')),
    dims          integer not null check (dims between 1 and 4000),
    options       jsonb not null default '{}' check (jsonb_typeof(options) = 'object'),
    active        boolean not null default false,
    floor         double precision not null,
    link_at       double precision not null,
    relation_at   double precision not null,
    reinforce_at  double precision not null,
    consolidate_at double precision not null,
    trusted_coverage double precision not null default 0 check (trusted_coverage between 0 and 1),
    customized    boolean not null default false,
    check (floor < relation_at and floor < link_at and relation_at <= reinforce_at)
);

create unique index embedding_model_active on engram.embedding_model (active) where active;

comment on table engram.embedding_model is
'The embedding models and the thresholds that belong to each: 0.85 in one model''s space means another thing in the next.
Vectors of model n live in table engram.embedding_n. One model is active.';
comment on column engram.embedding_model.floor is 'Cosine of two unrelated texts: what min-max scaling takes as nothing.';
comment on column engram.embedding_model.link_at is 'Cosine from which two memories get an edge of relation similar.';
comment on column engram.embedding_model.relation_at is 'Cosine from which the write gate compares two texts.';
comment on column engram.embedding_model.reinforce_at is 'Cosine from which two texts that differ in nothing else count as one.';
comment on column engram.embedding_model.consolidate_at is 'Cosine from which consolidation puts two memories in one cluster.';
comment on column engram.embedding_model.options is
'How to reach the model: model (name or path), base_url, query_prefix and passage_prefix (put before a question and before a memory).
Never a key: that comes from the environment of the worker.';

comment on column engram.embedding_model.trusted_coverage is
'How much of a question the best memory must cover by its words for the lexical leg to count in full; below, it counts in proportion.
For a model that connects languages, which finds what no word of the question can. 0: words always count in full.';
