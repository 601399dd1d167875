create or replace function engram.calibrate_model(name text, pairs jsonb default null) returns jsonb
    language plpgsql volatile
    set search_path from current
    set jit = off
as $$
declare
    v_model  engram.embedding_model := engram._known_model(calibrate_model.name);
    v_own    double precision[] := engram._own_cosines(v_model);
    v_spread record;
    v_result jsonb;
    v_installing text := coalesce(current_setting('engram.installing', true), '');
begin
    perform engram._checked_pairs(v_model, pairs);

    with labelled as (
        select p.pair ->> 'label' as label,
               1 - ((p.pair ->> 'a')::halfvec <=> (p.pair ->> 'b')::halfvec) as cosine
          from jsonb_array_elements(coalesce(pairs, '[]')) as p (pair)
    ),
    unrelated as (
        select u.cosine from unnest(v_own) as u (cosine)
        union all
        select l.cosine from labelled l where l.label = 'unrelated' and cardinality(v_own) < 200
    )
    select (select avg(u.cosine) from unrelated u) as floor,
           (select percentile_cont(0.99) within group (order by u.cosine) from unrelated u) as link_at,
           (select percentile_cont(array[0.05, 0.5, 0.95]) within group (order by l.cosine) from labelled l where l.label = 'duplicate') as duplicate,
           (select percentile_cont(0.10) within group (order by l.cosine) from labelled l where l.label = 'related') as related,
           (select percentile_cont(0.05) within group (order by l.cosine) from labelled l where l.label = 'unrelated') as apart,
           (select avg((l.cosine > (select percentile_cont(0.95) within group (order by u.cosine) from labelled u where u.label = 'unrelated'))::integer)
              from labelled l where l.label = 'translation') as translated
      into v_spread;

    if v_spread.floor is null then
        raise exception using
            errcode = 'EG009',
            message = format('model %L has no vectors to measure, and no labelled pairs were given', calibrate_model.name),
            hint    = 'Let the worker fill it first, or run: engram-pg model calibrate ' || calibrate_model.name;
    end if;

    perform set_config('engram.installing', 'on', true);
    update engram.embedding_model m
       set floor          = least(v_spread.floor, 0.97),
           link_at        = least(greatest(v_spread.link_at, v_spread.floor + 0.01), 1),
           relation_at    = least(greatest(coalesce(v_spread.duplicate[1], m.relation_at), v_spread.floor + 0.01), 1),
           reinforce_at   = least(greatest(coalesce(v_spread.duplicate[3], m.reinforce_at), v_spread.floor + 0.02,
                                           coalesce(v_spread.duplicate[1], m.relation_at)), 1),
           trusted_coverage = case when v_spread.translated >= 0.5 then engram._setting_number('recall.trusted_coverage')
                                   when v_spread.translated < 0.5 then 0 else m.trusted_coverage end,
           consolidate_at = least(greatest(coalesce(v_spread.duplicate[2], m.consolidate_at), v_spread.floor + 0.01), 1),
           recall_at      = coalesce(v_spread.related, m.recall_at),
           fallback_at    = least(coalesce((v_spread.related + v_spread.apart) / 2, m.fallback_at), coalesce(v_spread.related, m.recall_at))
     where m.model_id = v_model.model_id
    returning jsonb_build_object('model', m.name, 'floor', m.floor, 'link_at', m.link_at, 'relation_at', m.relation_at,
                                 'reinforce_at', m.reinforce_at, 'consolidate_at', m.consolidate_at, 'trusted_coverage', m.trusted_coverage,
                                 'recall_at', m.recall_at, 'fallback_at', m.fallback_at)
      into v_result;
    perform set_config('engram.installing', v_installing, true);

    return v_result || jsonb_build_object('own_pairs', cardinality(v_own), 'labelled_pairs', coalesce(jsonb_array_length(pairs), 0));
end
$$;

comment on function engram.calibrate_model is
'Measures the thresholds of a model and stores them: floor is the mean cosine of pairs of this database''s own memories, link_at their 99th percentile; relation_at, consolidate_at and
reinforce_at are the 5th, 50th and 95th percentile of labelled duplicates. pairs: [{"label": "duplicate"|"related"|"unrelated"|"translation", "a": [vector], "b": [vector]}, …]; without duplicates
those three stay. recall_at is the 10th percentile of the related pairs, fallback_at half way from there to the 5th percentile of the unrelated; without related pairs they stay. Where half of the translations are nearer than 95 % of the unrelated pairs, the model connects languages, and trusted_coverage becomes the
setting recall.trusted_coverage, else 0. Labelled unrelated pairs help out while there are few memories. Returns the thresholds and the number of pairs.';

revoke all on function engram.calibrate_model from public;
