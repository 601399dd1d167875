create or replace function engram.forget(
    memory_id bigint default null,
    user_id   text default 'default',
    filter    jsonb default null,
    hard      boolean default false
) returns jsonb
    language plpgsql volatile
    set search_path from current
    set jit = off
as $$
declare
    v_space bigint := engram._space_of(forget.user_id);
    v_ids   bigint[];
begin
    if (forget.memory_id is null) = (filter is null) then
        raise exception using
            errcode = 'EG002',
            message = 'forget takes either a memory_id or a filter',
            hint    = 'engram.forget(42), engram.forget(filter => ''{"tags": ["draft"]}''), or filter => ''{"all": true}'' for all of this user.';
    end if;

    perform pg_advisory_xact_lock(v_space);
    v_ids := case when filter is null then array[(engram.get(forget.memory_id, forget.user_id)).memory_id]
                  else engram._matching(v_space, filter, hard) end;

    return case when hard then engram._erase(v_space, v_ids) else engram._archive(v_space, v_ids, 'forget') end;
end
$$;

comment on function engram.forget is
'Forgets one memory, or those that a filter means: {"kinds": […], "tags": […], "collections": […], "metadata": {…}, "session_id": "…",
"source_type": "…", "since": "…", "until": "…"}, every key must hold, or {"all": true}. By default they are archived: never recalled, and
engram.undo() of the returned decision_ids brings each back. hard: erased everywhere with vectors, keys, edges, counts and the texts in
decisions, for good. Returns a receipt. Raises EG002 for a bad filter, EG004 when this user has no such memory.';
