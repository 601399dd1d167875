create or replace function engram.list_features(status text default null, user_id text default 'default', feature text default null) returns setof engram.feature
    language plpgsql stable
    rows 20
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space bigint := engram._space_of(list_features.user_id);
begin
    if list_features.status is not null then
        perform engram._importance_of('progress', list_features.status);
    end if;

    return query
        select f.metadata ->> 'feature', f.metadata ->> 'status', engram._number_in(f.metadata -> 'completion'), engram._texts_in(f.metadata -> 'blockers'),
               engram._number_in(f.metadata -> 'quality_score'), f.metadata ->> 'notes', engram._task_of(v_space, f.memory_id), f.memory_id, f.created_at
          from (
              -- Of a feature the newest state: an import may have brought several.
              select distinct on (lower(m.metadata ->> 'feature')) m.metadata, m.memory_id, m.created_at
                from engram.memory m
               where m.space_id = v_space and m.collection = 'engineering/progress' and m.state = 'active' and m.metadata ? 'feature'
               order by lower(m.metadata ->> 'feature'), m.created_at desc, m.memory_id desc
          ) f
         where (list_features.status is null or f.metadata ->> 'status' = list_features.status)
           and (list_features.feature is null or engram._same_name(f.metadata ->> 'feature', list_features.feature))
         order by f.created_at desc, f.memory_id desc;
end
$$;

comment on function engram.list_features is
'Where each feature of a user stands, last changed first, those of a status, or the one of a name: what engram.track_progress() was told last of it. Raises EG002 for a status that does not exist.';
