create type engram.neighborhood as (
    gate_ids      bigint[],
    gate_cosines  double precision[],
    link_ids      bigint[],
    link_cosines  double precision[]
);

comment on type engram.neighborhood is
'What a new memory lands beside: the memories that the write gate compares it with, and the nearest ones for similar edges.';
