create or replace function engram._engineering_stats(space_id bigint) returns jsonb
    language sql stable
begin atomic
    with entry as materialized (
        -- Of a feature the newest state: an import may have brought several.
        select distinct on (m.collection, case when m.collection = 'engineering/progress' then lower(m.metadata ->> 'feature') else m.memory_id::text end)
               m.collection, m.metadata, m.created_at
          from engram.memory m
         where m.space_id = _engineering_stats.space_id and m.state = 'active'
           and m.collection in ('engineering/handoff', 'engineering/failure', 'engineering/progress', 'engineering/task')
         order by m.collection, case when m.collection = 'engineering/progress' then lower(m.metadata ->> 'feature') else m.memory_id::text end,
                  m.created_at desc, m.memory_id desc
    ),
    tally as (
        select t.collection, t.field, jsonb_object_agg(t.word, t.count) as counts
          from (
              select e.collection, f.field, coalesce(e.metadata ->> f.field, 'unknown') as word, count(*)
                from entry e
                join (values ('engineering/failure', 'component'), ('engineering/failure', 'severity'),
                             ('engineering/progress', 'status'), ('engineering/task', 'status')) as f (collection, field) using (collection)
               group by 1, 2, 3
          ) t
         group by 1, 2
    )
    select jsonb_build_object(
        'failures', jsonb_build_object(
            'total',        (select count(*) from entry e where e.collection = 'engineering/failure'),
            'by_component', coalesce((select t.counts from tally t where (t.collection, t.field) = ('engineering/failure', 'component')), '{}'),
            'by_severity',  coalesce((select t.counts from tally t where (t.collection, t.field) = ('engineering/failure', 'severity')), '{}')),
        'features', jsonb_build_object(
            'total',     (select count(*) from entry e where e.collection = 'engineering/progress'),
            'by_status', coalesce((select t.counts from tally t where (t.collection, t.field) = ('engineering/progress', 'status')), '{}'),
            'active',    coalesce((select jsonb_object_agg(e.metadata ->> 'feature',
                                              jsonb_build_object('status', e.metadata -> 'status', 'completion', e.metadata -> 'completion'))
                                     from entry e
                                    where e.collection = 'engineering/progress' and e.metadata ? 'feature'
                                      and e.metadata ->> 'status' not in ('done', 'cancelled')), '{}')),
        'tasks', jsonb_build_object(
            'total',     (select count(*) from entry e where e.collection = 'engineering/task'),
            'by_status', coalesce((select t.counts from tally t where (t.collection, t.field) = ('engineering/task', 'status')), '{}')),
        'handoffs', jsonb_build_object(
            'total',     (select count(*) from entry e where e.collection = 'engineering/handoff'),
            'last_at',   (select max(e.created_at) from entry e where e.collection = 'engineering/handoff')));
end;

comment on function engram._engineering_stats is 'stats(): the current failures by component and severity, features with those that are active, tasks and hand-offs of a space.';
