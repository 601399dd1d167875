create or replace function engram.neighbors(
    memory_id bigint,
    depth     integer default 1,
    user_id   text default 'default'
) returns setof engram.neighbor
    language plpgsql stable
    rows 20
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_start engram.memory := engram.get(neighbors.memory_id, neighbors.user_id);
begin
    if depth is null or depth not between 1 and 5 then
        raise exception using
            errcode = 'EG002',
            message = format('depth is %s; it must be 1 to 5', coalesce(depth::text, 'null')),
            hint    = 'One hop is what the memory is linked to; two add what that is linked to.';
    end if;

    return query
        select m.memory_id, x.hops, x.path_weight, m.content, m.kind, m.state
          from engram._expand(v_start.space_id, array[v_start.memory_id], depth, engram._setting_number('recall.fan_out')::integer) x
          join engram.memory m on m.space_id = v_start.space_id and m.memory_id = x.memory_id
         where m.state <> 'archived'
         order by x.hops, x.path_weight desc, m.memory_id;
end
$$;

comment on function engram.neighbors is
'The memories around one, breadth-first over edges in both directions up to depth 1..5 hops; from each the strongest edges, as many as the
setting recall.fan_out. The order of a session (next) is not followed. path_weight: product of the weights along the best path.';
