create or replace function engram._expand(
    space_id bigint,
    seeds    bigint[],
    depth    integer,
    fan_out  integer
) returns table (memory_id bigint, hops integer, path_weight double precision)
    language plpgsql stable parallel safe
    rows 50
    set search_path from current
    set enable_sort = off   -- as in engram._turns_beside()
as $$
declare
    v_found    bigint[]           := seeds;
    v_frontier bigint[]           := seeds;
    v_weights  double precision[] := array_fill(1.0::double precision, array[cardinality(seeds)]);
begin
    for v_hop in 1 .. depth loop
        exit when cardinality(v_frontier) = 0;

        select array_agg(b.node order by b.weight desc, b.node), array_agg(b.weight order by b.weight desc, b.node)
          into v_frontier, v_weights
          from (
              select s.node, max(s.weight) as weight
                from unnest(v_frontier, v_weights) as f (node, weight)
               cross join lateral (
                   select e.node, f.weight * e.weight as weight
                     from (
                         (select o.dst as node, o.weight from engram.edge o
                           where o.space_id = _expand.space_id and o.src between f.node and f.node and o.relation <> 'next'
                           order by o.src offset 0)
                         union all
                         (select i.src, i.weight from engram.edge i
                           where i.space_id = _expand.space_id and i.dst between f.node and f.node and i.relation <> 'next'
                           order by i.dst offset 0)
                     ) e
                    order by e.weight desc, e.node
                    limit fan_out
               ) s
               where s.node <> all (v_found)
               group by s.node
          ) b;

        v_frontier := coalesce(v_frontier, '{}');
        v_found := v_found || v_frontier;
        return query select f.node, v_hop, f.weight from unnest(v_frontier, v_weights) as f (node, weight);
    end loop;
end
$$;

comment on function engram._expand is
'Breadth-first from the seeds over the edges in both directions, except the order of a session (next). Each memory is met once, at its
fewest hops, by the best of those paths; path_weight is the product of the weights along it. From one memory only the fan_out strongest edges are followed.';
