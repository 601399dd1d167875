create or replace function engram.forget(
    memory_id bigint default -9223372036854775808,  -- left out; no null, 0 or false that a caller did not mean erases a person
    user_id   text default 'default',
    filter    jsonb default '"left out"',
    hard      boolean default false
) returns jsonb
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space bigint;
    v_one   bigint := nullif(forget.memory_id, -9223372036854775808);
    v_some  jsonb  := nullif(filter, '"left out"');
    v_ids   bigint[];
begin
    if forget.memory_id = -9223372036854775808 and filter = '"left out"' and hard then
        if forget.user_id = 'default' then
            raise exception using
                errcode = 'EG002',
                message = 'forget with hard alone erases a person, and none is named',
                hint    = 'engram.forget(user_id => ''mei'', hard => true) erases mei; engram.erase_user(''default'') the user whom a call means that names none; hard with a memory_id or a filter, memories.';
        end if;
        return engram.erase_user(forget.user_id);
    end if;
    if (v_one is null) = (v_some is null) then
        raise exception using
            errcode = 'EG002',
            message = 'forget takes either a memory_id or a filter',
            hint    = 'engram.forget(42), engram.forget(filter => ''{"tags": ["draft"]}''), filter => ''{"all": true}'' for all memories of this user; engram.forget(user_id => ''mei'', hard => true) erases the person.';
    end if;

    v_space := engram._space_of(forget.user_id);
    perform pg_advisory_xact_lock(v_space);
    v_ids := case when v_some is null then array[(engram.get(v_one, forget.user_id)).memory_id]
                  else engram._matching(v_space, v_some, hard) end;

    return case when hard then engram._erase(v_space, v_ids) else engram._archive(v_space, v_ids, 'forget') end;
end
$$;

comment on function engram.forget is
'Forgets one memory, or those that a filter means: {"kinds": […], "tags": […], "collections": […], "metadata": {…}, "session_id": "…",
"source_type": "…", "since": "…", "until": "…"}, every key must hold, or {"all": true}. By default they are archived: never recalled, and
engram.undo() of the returned decision_ids brings each back. hard: erased everywhere with vectors, keys, edges, counts and the texts in
decisions, for good. With neither an id nor a filter, hard erases the person, as engram.erase_user() does, but never ''default'', whom nobody may have named. Returns a receipt with counts. Raises EG002 for a bad filter, EG004 when this user has no such memory.';
