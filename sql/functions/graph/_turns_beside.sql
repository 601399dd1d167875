create or replace function engram._turns_beside(space_id bigint, ids bigint[]) returns table (memory_id bigint, beside bigint, later boolean)
    language plpgsql stable parallel safe
    rows 100
    set search_path from current
    -- A planner that takes the table for empty would as soon go through all edges of the space by the other index. Only one has a range of
    -- one key in order, and sorting is put off.
    set enable_sort = off
as $$
begin
    return query
        select f.id, e.dst, true
          from unnest(ids) as f (id)
         cross join lateral (select n.dst from engram.edge n
                              where n.space_id = _turns_beside.space_id and n.src between f.id and f.id and n.relation = 'next'
                              order by n.src offset 0) e
         union all
        select f.id, e.src, false
          from unnest(ids) as f (id)
         cross join lateral (select n.src from engram.edge n
                              where n.space_id = _turns_beside.space_id and n.dst between f.id and f.id and n.relation = 'next'
                              order by n.dst offset 0) e;
end
$$;

comment on function engram._turns_beside is 'For each memory those that stand beside it in the order of a session (next); later: it comes after.';
