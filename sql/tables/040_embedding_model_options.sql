alter table engram.embedding_model add column options jsonb not null default '{}' check (jsonb_typeof(options) = 'object');

comment on column engram.embedding_model.options is
'How to reach the model: model (name or path), base_url, query_prefix and passage_prefix (put before a question and before a memory).
Never a key: that comes from the environment of the worker.';
