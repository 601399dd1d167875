create or replace function engram.link(
    src      bigint,
    dst      bigint,
    relation text default 'related',
    weight   double precision default 1,
    user_id  text default 'default'
) returns void
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_src engram.memory;
    v_dst engram.memory;
    v_problem text := case
        when link.src = link.dst then 'a memory cannot be linked to itself'
        when coalesce(btrim(relation), '') = '' then 'relation is empty'
        when weight is null or not (weight > 0 and weight <= 1) then format('weight is %s; it must be above 0 and up to 1', coalesce(weight::text, 'null'))
        else engram._name_problem('relation', relation)
    end;
begin
    perform pg_advisory_xact_lock(engram._space_of(link.user_id));
    v_src := engram.get(link.src, link.user_id);
    v_dst := engram.get(link.dst, link.user_id);
    if v_problem is not null then
        raise exception using errcode = 'EG002', message = v_problem, hint = 'engram.link(src, dst, relation => ''caused_by'', weight => 0.8)';
    end if;

    insert into engram.edge as e (space_id, src, relation, dst, tenant_id, weight)
    values (v_src.space_id, v_src.memory_id, link.relation, v_dst.memory_id, v_src.tenant_id, link.weight)
    on conflict on constraint edge_pkey do update set weight = excluded.weight;
end
$$;

comment on function engram.link is
'An edge from one memory to another of the same user; again, it sets the weight. weight above 0 and up to 1. Recall follows edges in both
directions, the strongest first. Raises EG002 for a bad argument, EG004 for a memory that this user does not have.';
