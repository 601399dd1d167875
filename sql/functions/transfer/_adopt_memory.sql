create or replace function engram._adopt_again(origin engram.origin, user_id text, draft engram.draft) returns text
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_hash   uuid := engram.content_hash(draft.content);
    v_memory engram.memory;
begin
    if v_hash = origin.content_hash then
        return 'known';
    end if;

    select * into v_memory from engram.memory m where m.space_id = origin.space_id and m.memory_id = origin.memory_id;
    if v_memory.content_hash = v_hash then
        null;
    elsif v_memory.content_hash = origin.content_hash and v_memory.state = 'active' then
        perform engram.revise(v_memory.memory_id, draft.content, user_id, importance => draft.importance, metadata => draft.metadata);
    else
        return 'conflict';
    end if;

    update engram.origin o
       set content_hash = v_hash
     where o.space_id = origin.space_id and o.source = origin.source and o.source_id = origin.source_id;
    return 'revised';
end
$$;

comment on function engram._adopt_again is
'What becomes of a memory that came over before: known where its text is still the same there; revised where it changed there and not here; conflict where it changed on both
sides, or was retired or forgotten here, which stays as it is.';

create or replace function engram._adopt_memory(space_id bigint, source text, user_id text, entry jsonb) returns text
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_draft    engram.draft := engram._checked_draft(engram._draft_of(entry - '{type,id,reinforced_at,recalls,last_recalled_at}'::text[]));
    v_origin   engram.origin;
    v_memory   engram.memory;
    v_id       bigint;
    v_recalls  integer     := greatest((entry ->> 'recalls')::integer, 0);
    v_recalled timestamptz := least((entry ->> 'last_recalled_at')::timestamptz, now());
    v_written  timestamptz := least((entry ->> 'reinforced_at')::timestamptz, now());
begin
    if not (engram._storable(v_recalled) and engram._storable(v_written)) then
        raise exception using errcode = 'EG002', message = 'a time is not in the years 1 to 9999', hint = 'Leave it out where it is not known.';
    end if;

    select * into v_origin
      from engram.origin o
     where o.space_id = _adopt_memory.space_id and o.source = _adopt_memory.source and o.source_id = entry ->> 'id';
    if found then
        return engram._adopt_again(v_origin, user_id, v_draft);
    end if;

    v_memory := engram._same_text(space_id, v_draft);
    v_id     := coalesce(v_memory.memory_id, (engram._remember(user_id, v_draft, 'append')).memory_id);

    insert into engram.origin (space_id, source, source_id, tenant_id, memory_id, content_hash)
    values (space_id, source, entry ->> 'id', engram._tenant_id_in_force(), v_id, engram.content_hash(v_draft.content));

    if v_memory.memory_id is null and v_written is not null then
        update engram.memory m set reinforced_at = v_written where m.space_id = _adopt_memory.space_id and m.memory_id = v_id;
    end if;

    if v_recalls > 0 then
        insert into engram.memory_stat as s (space_id, memory_id, tenant_id, recalls, last_recalled_at)
        values (space_id, v_id, engram._tenant_id_in_force(), v_recalls, v_recalled)
        on conflict on constraint memory_stat_pkey do update
           set recalls = least(s.recalls::bigint + excluded.recalls, 2147483647), last_recalled_at = greatest(s.last_recalled_at, excluded.last_recalled_at);
    end if;

    return case when v_memory.memory_id is null then 'new' else 'same_text' end;
end
$$;

comment on function engram._adopt_memory is
'Writes one memory of another system, with its dates and counts; returns what became of it: new; same_text, where a memory here says it already and takes over its recalls; or what
_adopt_again() says.';
