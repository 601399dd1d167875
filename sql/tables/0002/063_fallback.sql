alter table engram.embedding_model
    add column recall_at   double precision not null default 0.50,
    add column fallback_at double precision not null default 0.20,
    add constraint embedding_model_fallback check (fallback_at <= recall_at);

comment on column engram.embedding_model.recall_at is
'Cosine from which a memory counts as found by its meaning, for a scoring profile with fallback.';
comment on column engram.embedding_model.fallback_at is
'The same where no memory reaches recall_at.';

alter table engram.model_default
    add column recall_at   double precision not null default 0.50,
    add column fallback_at double precision not null default 0.20,
    add constraint model_default_fallback check (fallback_at <= recall_at);

alter table engram.scoring_profile
    add column fallback boolean not null default false;

comment on column engram.scoring_profile.fallback is
'Whether meaning counts only from the model''s recall_at on, and, where no memory reaches that, from its fallback_at on.';

update engram.embedding_model
   set recall_at   = case when provider = 'static' then 0.45 when floor > 0.6 then 0.84 when floor > 0.3 then 0.60 else recall_at end,
       fallback_at = case when provider = 'static' then 0.20 when floor > 0.6 then 0.79 when floor > 0.3 then 0.45 else fallback_at end;
