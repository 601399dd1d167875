create or replace function engram._retire_late(space_id bigint, memory_id bigint, current_id bigint) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_late     engram.memory;
    v_line     bigint[];
    v_next     engram.memory;
    v_previous engram.memory;
begin
    select * into v_late from engram.memory m where m.space_id = _retire_late.space_id and m.memory_id = _retire_late.memory_id;

    with recursive line as (
        select _retire_late.current_id as id
        union
        select m.memory_id
          from line l
          join engram.memory m on m.space_id = _retire_late.space_id and m.superseded_by = l.id and m.state = 'retired'
    )
    select array_agg(l.id) into v_line from line l;

    select * into v_next from engram.memory m
     where m.space_id = _retire_late.space_id and m.memory_id = any (v_line) and m.valid_from > v_late.valid_from
     order by m.valid_from, m.memory_id limit 1;
    select * into v_previous from engram.memory m
     where m.space_id = _retire_late.space_id and m.memory_id = any (v_line)
       and m.valid_from <= v_late.valid_from and m.valid_until > v_late.valid_from
     order by m.valid_from desc, m.memory_id desc limit 1;

    perform engram._retire(space_id, v_late.memory_id, v_next.memory_id, least(v_late.valid_until, v_next.valid_from));
    return case when v_previous.memory_id is not null
                then engram._retire(space_id, v_previous.memory_id, v_late.memory_id, v_late.valid_from) end;
end
$$;

comment on function engram._retire_late is
'Puts a memory that arrived after what contradicts it in its place in time: among the current one and those that it superseded, it ends where the next begins,
and the one before ends where it begins. Returns what that changed of the one before, as it was; null if there is none.';
