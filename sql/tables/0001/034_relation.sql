create type engram.relation as (
    verdict    text,
    memory_id  bigint,
    similarity double precision,
    confidence double precision,
    rule       text,
    evidence   jsonb
);

comment on type engram.relation is
'What an incoming text means for what is remembered: the verdict, and the memory it is about (null when it is about none).';
