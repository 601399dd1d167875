create or replace function engram.purge(user_id text default 'default', dry_run boolean default false) returns jsonb
    language plpgsql volatile
    set search_path from current
    set jit = off
as $$
declare
    v_space bigint := engram._space_of(purge.user_id);
    v_ids   bigint[];
begin
    if not dry_run then
        perform pg_advisory_xact_lock(v_space);
    end if;

    v_ids := engram._purgeable(v_space);
    return case when dry_run then jsonb_build_object('memories', cardinality(v_ids), 'memory_ids', to_jsonb(v_ids))
                else engram._erase(v_space, v_ids, 'purge') end;
end
$$;

comment on function engram.purge is
'Deletes for good what prune() archived longer ago than the setting purge.after_days, with vectors, keys, edges, counts and the texts in decisions, as forget(…, hard => true) does; returns a receipt. As
shipped the setting is 0: nothing is ever deleted. What was forgotten, expired, replaced or merged stays, and so does what anybody touched after the prune. dry_run: the ids only.';

create or replace function engram._purgeable(space_id bigint, batch integer default null) returns bigint[]
    language plpgsql stable
    set search_path from current
as $$
declare
    v_days double precision := engram._setting_number('purge.after_days');
begin
    if v_days = 0 then
        return '{}';
    end if;

    return array(
        select d.memory_id
          from engram.decision d
          join engram.memory m on m.space_id = d.space_id and m.memory_id = d.memory_id
         where d.space_id = _purgeable.space_id and d.action = 'prune' and d.undone_at is null
           and d.decided_at < now() - make_interval(secs => least(v_days, 1e6) * 86400)
           and m.state = 'archived' and not m.pinned
           -- Nobody has touched it since.
           and not exists (select from engram.decision l
                            where l.space_id = d.space_id and l.memory_id = d.memory_id and l.decision_id > d.decision_id)
         order by d.memory_id
         limit batch);
end
$$;

comment on function engram._purgeable is 'Ids of the memories of a space that purge() may delete, at most batch.';
