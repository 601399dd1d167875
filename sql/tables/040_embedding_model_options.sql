alter table engram.embedding_model add column options jsonb not null default '{}' check (jsonb_typeof(options) = 'object');

comment on column engram.embedding_model.options is
'How to reach the model: model (name or path), base_url, query_prefix and passage_prefix (put before a question and before a memory).
Never a key: that comes from the environment of the worker.';

alter table engram.embedding_model add column trusted_coverage double precision not null default 0
    check (trusted_coverage between 0 and 1);

comment on column engram.embedding_model.trusted_coverage is
'How much of a question the best memory must cover by its words for the lexical leg to count in full; below, it counts in proportion.
For a model that connects languages, which finds what no word of the question can. 0: words always count in full.';
