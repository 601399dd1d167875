insert into engram.scoring_profile
       (profile, lexical_weight, lexical_scale, semantic_weight, semantic_scale, decay, graph_weight, neighbor_weight, name_weight, fallback, description)
values
    ('balanced',   2.25, 'coverage', 0.6, 'minmax', 0.2, 0.05, 0.25, 0.3, false, 'The default: how much of the question a memory covers, meaning, a little strength, its neighbours in the session and the names met. Weights found by measurement.'),
    ('ebbinghaus', 0.4, 'minmax',   0.6, 'cosine', 1,   0.3,  0,    0,   true,  '0.4 lexical + 0.6 semantic × strength + 0.3 × path weight: what fades is found less, and meaning counts from the model''s recall_at, else fallback_at, on. Source: mcp-engram.'),
    ('lexical',    1,   'coverage', 0,   'minmax', 0,   0,    0,    0,   false, 'BM25 alone.'),
    ('vector',     0,   'coverage', 1,   'cosine', 0,   0,    0,    0,   false, 'Cosine of the vectors alone.')
on conflict (profile) do update
   set lexical_weight  = excluded.lexical_weight,
       lexical_scale   = excluded.lexical_scale,
       semantic_weight = excluded.semantic_weight,
       semantic_scale  = excluded.semantic_scale,
       decay           = excluded.decay,
       graph_weight    = excluded.graph_weight,
       neighbor_weight = excluded.neighbor_weight,
       name_weight     = excluded.name_weight,
       fallback        = excluded.fallback,
       description     = excluded.description
 where not scoring_profile.customized;
