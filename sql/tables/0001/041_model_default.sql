create table engram.model_default (
    pattern        text primary key,
    floor          double precision not null,
    link_at        double precision not null,
    relation_at    double precision not null,
    reinforce_at   double precision not null,
    consolidate_at double precision not null,
    trusted_coverage double precision not null,
    check (floor < relation_at and floor < link_at and relation_at <= reinforce_at)
);

comment on table engram.model_default is
'Thresholds that register_model() takes for a model whose name fits pattern (ILIKE), the longest pattern first. Shipped rows; see embedding_model for what each means.';
