create type engram.prune_row as (
    memory_id          bigint,
    content            text,
    kind               text,
    strength           double precision,
    gone               boolean,
    rule               text,
    reason             text,
    protected_by       bigint,
    protector_strength double precision,
    decision_id        bigint
);

comment on type engram.prune_row is
'A memory whose strength is below the prune line: whether it goes, by which rule (faded, pinned, neighbor, recalled, restored, not_yet), why in words, the neighbour that protects it and
how strong that is, and the decision that archived it.';

create index decision_prune on engram.decision (space_id, decided_at) where action = 'prune' and undone_at is null;
