insert into engram.job (job, place, every, by_tenant, description) values
    ('fold',        10, '0',        true,  'Adds recalls to the counts that strength is computed from.'),
    ('expire',      20, '0',        true,  'Archives what has outlived its time to live.'),
    ('count',       30, '0',        true,  'Counts the memories and lexemes of large spaces.'),
    ('index',       40, '0',        true,  'Puts the vectors of large spaces into the HNSW index.'),
    ('read',        45, '0',        true,  'Reads what the write gate compares out of memories that came in past it.'),
    ('consolidate', 50, '12 hours', true,  'Makes one memory of those that lie close together: consolidate().'),
    ('prune',       60, '12 hours', true,  'Archives what has faded, unless a strong neighbour protects it: prune().'),
    ('purge',       70, '12 hours', true,  'Deletes what was pruned longer ago than the setting purge.after_days; as shipped, nothing: purge().'),
    ('vacuum',      80, '12 hours', false, 'Looks for tables with many dead rows, and says which to vacuum.')
on conflict (job) do update
   set place       = excluded.place,
       every       = excluded.every,
       by_tenant   = excluded.by_tenant,
       description = excluded.description
 where not job.customized;
