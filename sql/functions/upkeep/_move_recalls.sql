create or replace function engram._move_recalls(space_id bigint, from_ids bigint[], to_id bigint) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_sum engram.memory_stat;
begin
    select least(coalesce(sum(s.recalls), 0), 2147483647), max(s.last_recalled_at) into v_sum.recalls, v_sum.last_recalled_at
      from engram.memory_stat s
     where s.space_id = _move_recalls.space_id and s.memory_id = any (from_ids);
    if v_sum.recalls = 0 then
        return null;
    end if;

    return engram._swap_recalls(space_id, jsonb_build_object(
        'memory_id', to_id, 'recalls', -v_sum.recalls, 'known', true,
        'now', (select s.last_recalled_at from engram.memory_stat s where s.space_id = _move_recalls.space_id and s.memory_id = to_id),
        'last', (select greatest(s.last_recalled_at, v_sum.last_recalled_at)
                   from (select) one left join engram.memory_stat s on s.space_id = _move_recalls.space_id and s.memory_id = to_id)));
end
$$;

comment on function engram._move_recalls is
'Counts the recalls of some memories for another one too; they keep their own. Returns what _swap_recalls() turns back; null where there were none.';

create or replace function engram._swap_recalls(space_id bigint, moved jsonb) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_id      bigint  := (moved ->> 'memory_id')::bigint;
    v_old     engram.memory_stat;
    v_recalls integer;
    v_last    timestamptz;
begin
    select * into v_old from engram.memory_stat s where s.space_id = _swap_recalls.space_id and s.memory_id = v_id for update;
    v_recalls := least(greatest(coalesce(v_old.recalls, 0)::bigint - (moved ->> 'recalls')::bigint, 0), 2147483647);
    -- A recall since then is the last one.
    v_last := case when v_old.last_recalled_at is not distinct from (moved ->> 'now')::timestamptz
                   then (moved ->> 'last')::timestamptz else v_old.last_recalled_at end;

    if v_recalls = 0 and not (moved ->> 'known')::boolean then
        delete from engram.memory_stat s where s.space_id = _swap_recalls.space_id and s.memory_id = v_id;
    else
        insert into engram.memory_stat (space_id, memory_id, tenant_id, recalls, last_recalled_at)
        select m.space_id, m.memory_id, m.tenant_id, v_recalls, v_last
          from engram.memory m where m.space_id = _swap_recalls.space_id and m.memory_id = v_id
        on conflict on constraint memory_stat_pkey do update set recalls = excluded.recalls, last_recalled_at = excluded.last_recalled_at;
    end if;

    return jsonb_build_object('memory_id', v_id, 'recalls', -(moved ->> 'recalls')::integer, 'known', v_old.memory_id is not null,
                              'now', v_last, 'last', v_old.last_recalled_at);
end
$$;

comment on function engram._swap_recalls is
'Takes recalls off a memory, or adds them where the number is negative, and puts the time of the last one back; a row that was not there before goes. Returns what turns that back.';
