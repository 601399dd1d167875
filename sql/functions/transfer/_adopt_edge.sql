create or replace function engram._adopt_edge(space_id bigint, source text, entry jsonb) returns text
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_src    bigint;
    v_dst    bigint;
    v_weight double precision := coalesce((entry ->> 'weight')::double precision, 1);
    v_added  bigint;
begin
    if coalesce(entry ->> 'relation', '') = '' or octet_length(entry ->> 'relation') > 1000 or not (v_weight > 0 and v_weight <= 1) then
        raise exception using errcode = 'EG002', message = 'an edge needs a relation, of 1,000 bytes at most, and a weight above 0 and up to 1',
            hint = '{"type": "edge", "src": "…", "dst": "…", "relation": "similar", "weight": 0.5}';
    end if;

    select max(o.memory_id) filter (where o.source_id = entry ->> 'src'), max(o.memory_id) filter (where o.source_id = entry ->> 'dst')
      into v_src, v_dst
      from engram.origin o
     where o.space_id = _adopt_edge.space_id and o.source = _adopt_edge.source and o.source_id in (entry ->> 'src', entry ->> 'dst');
    if v_src is null or v_dst is null then
        return 'edge_without_memory';
    end if;
    if v_src = v_dst then
        return 'known_edge';
    end if;

    insert into engram.edge (space_id, tenant_id, src, relation, dst, weight)
    values (space_id, engram._tenant_id_in_force(), v_src, entry ->> 'relation', v_dst, v_weight)
    on conflict do nothing;
    get diagnostics v_added = row_count;
    return case when v_added = 0 then 'known_edge' else 'edge' end;
end
$$;

comment on function engram._adopt_edge is
'Writes one edge of another system between memories that came over: edge; known_edge, where it is here already or both its ends are one memory; edge_without_memory, where an end never came.';
