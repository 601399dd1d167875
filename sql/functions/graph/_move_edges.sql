create or replace function engram._move_edges(space_id bigint, from_ids bigint[], to_id bigint) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_removed jsonb;
    v_added   jsonb;
begin
    with gone as (
        delete from engram.edge e
         where e.space_id = _move_edges.space_id and (e.src = any (from_ids) or e.dst = any (from_ids))
        returning e.*
    ),
    moved as (
        select case when g.src = any (from_ids) then to_id else g.src end as src, g.relation,
               case when g.dst = any (from_ids) then to_id else g.dst end as dst, g.weight, g.created_at
          from gone g
    ),
    -- Where the target has the edge already, the stronger one counts.
    known as (
        delete from engram.edge e using (select distinct m.src, m.relation, m.dst from moved m) m
         where e.space_id = _move_edges.space_id and e.src = m.src and e.relation = m.relation and e.dst = m.dst
        returning e.*
    )
    select (select jsonb_agg(r order by r.src, r.relation, r.dst)
              from (select g.src, g.relation, g.dst, g.weight, g.created_at from gone g
                    union all select k.src, k.relation, k.dst, k.weight, k.created_at from known k) r),
           (select jsonb_agg(a order by a.src, a.relation, a.dst)
              from (select u.src, u.relation, u.dst, max(u.weight) as weight, min(u.created_at) as created_at
                      from (select m.* from moved m union all select k.src, k.relation, k.dst, k.weight, k.created_at from known k) u
                     where u.src <> u.dst
                     group by u.src, u.relation, u.dst) a)
      into v_removed, v_added;

    perform engram._add_edges(space_id, v_added);
    return jsonb_build_object('removed', coalesce(v_removed, '[]'), 'added', coalesce(v_added, '[]'));
end
$$;

comment on function engram._move_edges is
'Hangs the edges of some memories on another one, each once, at its greatest weight; edges among them go. Returns the rows that were removed and added, which _swap_edges() turns back.';

create or replace function engram._add_edges(space_id bigint, edges jsonb) returns void
    language sql volatile
begin atomic
    insert into engram.edge (space_id, src, relation, dst, tenant_id, weight, created_at)
    select _add_edges.space_id, e.src, e.relation, e.dst, (select engram._tenant_id_in_force()), e.weight, e.created_at
      from jsonb_to_recordset(_add_edges.edges) as e (src bigint, relation text, dst bigint, weight double precision, created_at timestamptz)
     where exists (select from engram.memory m where m.space_id = _add_edges.space_id and m.memory_id = e.src)
       and exists (select from engram.memory m where m.space_id = _add_edges.space_id and m.memory_id = e.dst)
     order by e.src, e.relation, e.dst
    on conflict do nothing;
end;

comment on function engram._add_edges is 'Writes edges that _move_edges() or _ended_by() returned, those whose memories are still there.';

create or replace function engram._swap_edges(space_id bigint, edges jsonb) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
begin
    delete from engram.edge e
     using jsonb_to_recordset(edges -> 'added') as a (src bigint, relation text, dst bigint)
     where e.space_id = _swap_edges.space_id and e.src = a.src and e.relation = a.relation and e.dst = a.dst;
    perform engram._add_edges(space_id, edges -> 'removed');
    return jsonb_build_object('removed', edges -> 'added', 'added', edges -> 'removed');
end
$$;

comment on function engram._swap_edges is 'Turns back a move of edges; returns what turns that back again.';

create or replace function engram._ended_by(space_id bigint, old bigint[], new bigint[]) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_added jsonb;
begin
    with added as (
        insert into engram.edge (space_id, src, relation, dst, tenant_id, weight)
        select _ended_by.space_id, p.new, 'supersedes', p.old, (select engram._tenant_id_in_force()), 1
          from unnest(old, new) as p (old, new)
        on conflict do nothing
        returning src, relation, dst, weight, created_at
    )
    select coalesce(jsonb_agg(a), '[]') into v_added from added a;
    return jsonb_build_object('removed', '[]'::jsonb, 'added', v_added);
end
$$;

comment on function engram._ended_by is 'Edges of relation supersedes from those that hold to those that they end; returns them in the form of _move_edges().';

create or replace function engram._edges_joined(one jsonb, two jsonb) returns jsonb
    language sql immutable parallel safe
begin atomic
    select jsonb_build_object(
        'removed', (_edges_joined.one -> 'removed') || (select coalesce(jsonb_agg(r.e), '[]') from jsonb_array_elements(_edges_joined.two -> 'removed') as r (e)
                                                         where not (_edges_joined.one -> 'added') @> jsonb_build_array(r.e)),
        'added',   (select coalesce(jsonb_agg(a.e), '[]') from jsonb_array_elements(_edges_joined.one -> 'added') as a (e)
                     where not (_edges_joined.two -> 'removed') @> jsonb_build_array(a.e)) || (_edges_joined.two -> 'added'));
end;

comment on function engram._edges_joined is 'Two moves of edges, one after the other, as one.';
