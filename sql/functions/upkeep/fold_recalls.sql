create or replace function engram.fold_recalls(batch integer default 5000) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_folded bigint;
begin
    with taken as (
        delete from engram.recall_event r
         where r.ctid = any (array(select c.ctid from engram.recall_event c
                                    where c.tenant_id = (select engram._tenant_id_in_force())
                                    order by c.space_id, c.memory_id
                                    limit case when batch < 0 then 0 else batch end for update skip locked))
        returning r.space_id, r.memory_id, r.tenant_id, r.recalled_at, r.session_id
    ),
    summed as (
        select t.space_id, t.memory_id, min(t.tenant_id) as tenant_id, count(*) as recalls, max(t.recalled_at) as last_recalled_at
          from taken t
         group by t.space_id, t.memory_id
    ),
    -- Locked, for another session may be erasing one.
    known as (
        select s.*
          from summed s
         cross join lateral (select from engram.memory m
                              where m.space_id = s.space_id and m.memory_id = s.memory_id for key share) m
         order by s.space_id, s.memory_id
    ),
    folded as (
        insert into engram.memory_stat as s (space_id, memory_id, tenant_id, recalls, last_recalled_at)
        select d.space_id, d.memory_id, d.tenant_id, d.recalls, d.last_recalled_at from known d
        on conflict (space_id, memory_id) do update
           set recalls = least(s.recalls::bigint + excluded.recalls, 2147483647),  -- a count that is full stops nothing
               last_recalled_at = greatest(s.last_recalled_at, excluded.last_recalled_at)
    ),
    kept as (
        insert into engram.session_recall (space_id, session_id, memory_id, tenant_id, recalled_at)
        select t.space_id, t.session_id, t.memory_id, min(t.tenant_id), max(t.recalled_at)
          from taken t
          join known k using (space_id, memory_id)
         -- Who may write recall_event by hand could leave a name that no index holds, which would stop every fold.
         where octet_length(t.session_id) <= 1000
         group by t.space_id, t.session_id, t.memory_id
    )
    select count(*) into v_folded from taken;

    delete from engram.session_recall r
     where r.recalled_at < now() - make_interval(secs => 86400 * (select engram._setting_number('session.kept_days')));

    return v_folded;
end
$$;

comment on function engram.fold_recalls is
'Adds up to batch recall events of the tenant in force to memory_stat, in id order, and returns how many it took. Several may run side by side: each event counts once.
What named sessions recalled is kept apart for session_outcome(), as long as the setting session.kept_days says.';

revoke all on function engram.fold_recalls from public;
