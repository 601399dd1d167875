create or replace function engram.stats(user_id text default 'default') returns jsonb
    language plpgsql stable
    set search_path from current
    set jit = off
as $$
declare
    v_space bigint := engram._space_of(stats.user_id);
    v_model engram.embedding_model := engram._active_model();
    v_stats jsonb;
    v_vectors bigint;
begin
    execute format('select count(*) from %s e where e.space_id = $1', engram._embedding_table(v_model.model_id))
       into v_vectors using v_space;

    select jsonb_build_object(
               'user_id', stats.user_id,
               'total', count(*) filter (where m.state = 'active'),
               'states', jsonb_build_object('active',   count(*) filter (where m.state = 'active'),
                                            'retired',  count(*) filter (where m.state = 'retired'),
                                            'archived', count(*) filter (where m.state = 'archived')),
               'mean_strength', avg(engram._strength_now(m.importance, k.lambda, m.reinforced_at, s.last_recalled_at, s.recalls)) filter (where m.state = 'active'),
               'recalls', coalesce(sum(s.recalls), 0),
               'sessions', count(distinct m.session_id),
               'first_created_at', min(m.created_at),
               'last_created_at', max(m.created_at),
               'bytes_of_text', coalesce(sum(octet_length(m.content)), 0))
      into v_stats
      from engram.memory m
      join engram.kind k using (kind)
      left join engram.memory_stat s using (space_id, memory_id)
     where m.space_id = v_space;

    return v_stats || jsonb_build_object(
        'kinds',       engram._tally(v_space, 'kind'),
        'collections', engram._tally(v_space, 'collection'),
        'edges',       (select coalesce(jsonb_object_agg(e.relation, e.count), '{}')
                          from (select e.relation, count(*) from engram.edge e where e.space_id = v_space group by e.relation) e),
        'decisions',   (select coalesce(jsonb_object_agg(d.action, d.count), '{}')
                          from (select d.action, count(*) from engram.decision d where d.space_id = v_space group by d.action) d),
        'model',       v_model.name,
        'vectors',     v_vectors,
        'engineering', engram._engineering_stats(v_space),
        'last_maintenance', (select max(j.finished_at) from engram.job_run j));
end
$$;

comment on function engram.stats is
'What a user''s memory holds, as JSON: total and states, kinds and collections of active memories, mean strength of active memories now, recalls folded
so far, edges by relation, decisions by action, vectors of the active model, engineering (failures by component and severity, features with those that are active, tasks, hand-offs), last
maintenance. Zeros for a user who has none.';
