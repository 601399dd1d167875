create or replace function engram._model_row(
    name           text,
    provider       text,
    dims           integer,
    options        jsonb,
    floor          double precision,
    link_at        double precision,
    relation_at    double precision,
    reinforce_at   double precision,
    consolidate_at double precision
) returns engram.embedding_model
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_default    engram.model_default;
    v_row        engram.embedding_model;
    v_installing text := coalesce(current_setting('engram.installing', true), '');
begin
    select * into v_default
      from engram.model_default d
     where _model_row.name ilike d.pattern
     order by length(d.pattern) desc
     limit 1;

    -- What is registered by call is not a change by hand, which an upgrade would have to leave alone.
    perform set_config('engram.installing', 'on', true);
    insert into engram.embedding_model as m
           (model_id, name, provider, dims, options, active, floor, link_at, relation_at, reinforce_at, consolidate_at, trusted_coverage, recall_at, fallback_at)
    select coalesce(max(e.model_id), 0) + 1, _model_row.name, _model_row.provider, _model_row.dims, _model_row.options, count(*) = 0,
           coalesce(_model_row.floor, v_default.floor), coalesce(_model_row.link_at, v_default.link_at),
           coalesce(_model_row.relation_at, v_default.relation_at), coalesce(_model_row.reinforce_at, v_default.reinforce_at),
           coalesce(_model_row.consolidate_at, v_default.consolidate_at),
           case when _model_row.provider = 'static' then 0 else v_default.trusted_coverage end, v_default.recall_at, v_default.fallback_at
      from engram.embedding_model e
    on conflict on constraint embedding_model_name_key do update
       set options        = case when excluded.options = '{}' then m.options else excluded.options end,
           floor          = case when m.customized then m.floor else coalesce(_model_row.floor, m.floor) end,
           link_at        = case when m.customized then m.link_at else coalesce(_model_row.link_at, m.link_at) end,
           relation_at    = case when m.customized then m.relation_at else coalesce(_model_row.relation_at, m.relation_at) end,
           reinforce_at   = case when m.customized then m.reinforce_at else coalesce(_model_row.reinforce_at, m.reinforce_at) end,
           consolidate_at = case when m.customized then m.consolidate_at else coalesce(_model_row.consolidate_at, m.consolidate_at) end
    returning * into v_row;
    perform set_config('engram.installing', v_installing, true);

    return v_row;
end
$$;

comment on function engram._model_row is
'Writes the row of a model: thresholds given, else of the shipped row of engram.model_default whose pattern fits its name best.';

revoke all on function engram._model_row from public;
