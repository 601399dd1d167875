create table engram.scoring_profile (
    profile                text primary key,
    lexical_weight         double precision not null default 0 check (lexical_weight between 0 and 1000),
    lexical_scale          text not null default 'coverage' check (lexical_scale in ('coverage', 'minmax')),
    semantic_weight        double precision not null default 0 check (semantic_weight between 0 and 1000),
    semantic_scale         text not null default 'minmax' check (semantic_scale in ('minmax', 'cosine')),
    decay                  double precision not null default 0 check (decay between 0 and 1),
    graph_weight           double precision not null default 0 check (graph_weight between 0 and 1000),
    neighbor_weight        double precision not null default 0 check (neighbor_weight between 0 and 1000),
    name_weight            double precision not null default 0 check (name_weight between 0 and 1000),
    description            text not null,
    customized             boolean not null default false
);

comment on table engram.scoring_profile is
'How recall() turns the legs into one score: lexical_weight × lexical + semantic_weight × semantic × (1 − decay × (1 − strength))
+ graph, where graph = graph_weight × path weight + neighbor_weight × best neighbouring turn + name_weight × names met.
Insert a row to add a profile.';
comment on column engram.scoring_profile.lexical_scale is
'coverage: BM25 divided by the most the question could score; minmax: divided by the best candidate of the question.';
comment on column engram.scoring_profile.semantic_scale is
'minmax: cosine stretched between the question''s floor and best candidate; cosine: as it is, negative values as 0.';
comment on column engram.scoring_profile.decay is 'How much a faded strength takes from the semantic part: 0 nothing, 1 all.';
comment on column engram.scoring_profile.neighbor_weight is
'Share of the score of the memories just before and after in the same session.';
comment on column engram.scoring_profile.name_weight is 'Bonus for a memory told by or about a name that the question mentions.';
