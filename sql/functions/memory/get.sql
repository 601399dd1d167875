create or replace function engram.get(memory_id bigint, user_id text default 'default') returns engram.memory
    language plpgsql stable
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_memory engram.memory;
begin
    select * into v_memory
      from engram.memory m
     where m.space_id = engram._space_of(get.user_id) and m.memory_id = get.memory_id;

    if not found then
        raise exception using
            errcode = 'EG004',
            message = format('memory %s does not exist for user %L', coalesce(get.memory_id::text, 'null'), get.user_id),
            hint    = 'engram.recall() and engram.history() return the ids that this user can see.';
    end if;

    return v_memory;
end
$$;

comment on function engram.get is 'The row of one memory of a user, in whatever state it is. Raises EG004 when this user has no such memory.';
