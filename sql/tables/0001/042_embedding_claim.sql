create type engram.embedding_claim as (
    space_id     bigint,
    memory_id    bigint,
    model_id     integer,
    model        text,
    content      text,
    content_hash uuid,
    attempts     integer
);

comment on type engram.embedding_claim is 'A text that a worker has leased to embed; content_hash goes back with the vector, attempts counts this one.';
