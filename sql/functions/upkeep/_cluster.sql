create or replace function engram._cluster(
    space_id bigint,
    members  engram.memory[],
    cosines  double precision[],
    core     integer,
    model    engram.embedding_model
) returns engram.cluster
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_claims  engram.gate_claims[] := engram._gate_stored(space_id, engram._ids(members));
    v_joined  engram.comparison[]  := array_fill(null::engram.comparison, array[cardinality(members)]);
    v_retired integer[]            := array_fill(null::integer, array[cardinality(members)]);
    v_order   integer[];
    v_new     integer;
    v_old     integer;
    v_cluster engram.cluster;
begin
    -- What is more important than the core has had its turn as a core.
    for v_place in core + 1 .. cardinality(members) loop
        v_joined[v_place] := engram._joined(members[core], members[v_place], v_claims[core], v_claims[v_place], cosines[v_place]);
    end loop;

    v_order := array(select m.ordinality::integer from unnest(members) with ordinality m
                      where m.ordinality = core or (v_joined[m.ordinality::integer]).verdict is not null
                      order by m.valid_from, m.created_at, m.memory_id);
    foreach v_new in array v_order loop
        foreach v_old in array v_order loop
            exit when v_old = v_new;
            continue when v_retired[v_old] is not null or (members[v_new]).valid_until < coalesce((members[v_old]).valid_until, 'infinity');
            if (case when core in (v_old, v_new) then v_joined[v_old + v_new - core]
                     else engram._joined(members[v_old], members[v_new], v_claims[v_old], v_claims[v_new],
                                         engram._pair_cosine(model, space_id, (members[v_old]).memory_id, (members[v_new]).memory_id)) end).verdict = 'contradiction'
            then
                v_retired[v_old] := v_new;
            end if;
        end loop;
    end loop;

    if v_retired[core] is not null then
        -- The most important of those that hold is the core now, and what is near to it its cluster.
        core := (select min(o.place) from unnest(v_order) as o (place) where v_retired[o.place] is null);
        foreach v_new in array v_order loop
            cosines[v_new]  := engram._pair_cosine(model, space_id, (members[core]).memory_id, (members[v_new]).memory_id);
            v_joined[v_new] := case when v_new <> core and v_retired[v_new] is null and cosines[v_new] >= model.consolidate_at
                                    then engram._joined(members[core], members[v_new], v_claims[core], v_claims[v_new], cosines[v_new]) end;
        end loop;
    end if;

    v_cluster := row((members[core]).memory_id, (members[core]).content, '{}', '{}', '{}', '{}', 'alone', null);
    foreach v_new in array v_order loop
        if v_retired[v_new] is not null then
            v_cluster.retired    := v_cluster.retired || (members[v_new]).memory_id;
            v_cluster.retired_by := v_cluster.retired_by || (members[v_retired[v_new]]).memory_id;
        elsif v_new <> core and (v_joined[v_new]).verdict in ('duplicate', 'complement') then
            v_cluster := engram._taken_in(v_cluster, members[v_new], v_joined[v_new], cosines[v_new], model);
        end if;
    end loop;
    if v_cluster.folded <> '{}' or v_cluster.retired <> '{}' then
        v_cluster.outcome := 'folded';
    end if;
    return v_cluster;
end
$$;

comment on function engram._cluster is
'What becomes of a core and of those near to it, which come the most important first. Each is judged against the core; contradictions among those that belong to it end the earlier one; the rest is folded in, what it adds in the order
of time.';

create or replace function engram._taken_in(
    cluster engram.cluster,
    member  engram.memory,
    verdict engram.comparison,
    cosine  double precision,
    model   engram.embedding_model
) returns engram.cluster
    language plpgsql stable
    set search_path from current
as $$
declare
    v_says_it boolean := verdict.rule in ('same_content', 'restated');
    v_content text    := case when v_says_it then cluster.content
                              else engram._merged_text(array[cluster.content, member.content],
                                       least(engram._setting_number('consolidate.max_bytes'), engram._setting_number('content.max_bytes'))::integer) end;
begin
    -- What the core took in before keeps it where it is: else it could move on, memory by memory.
    if v_content is null
       or exists (select from engram.memory f
                   where f.space_id = member.space_id and f.superseded_by = cluster.kept and f.state = 'archived'
                     and engram._pair_cosine(model, f.space_id, f.memory_id, member.memory_id) < model.consolidate_at)
    then
        return cluster;
    end if;

    cluster.content  := v_content;
    cluster.folded   := cluster.folded || member.memory_id;
    cluster.verdicts := cluster.verdicts || jsonb_build_object(member.memory_id, jsonb_build_object(
                            'verdict', verdict.verdict, 'rule', verdict.rule, 'confidence', verdict.confidence, 'cosine', cosine));
    return cluster;
end
$$;

comment on function engram._taken_in is
'A cluster with one more member: its clauses that the kept text lacks are added, unless the gate found that it has them all. It stays out where the text would grow beyond the settings consolidate.max_bytes and
content.max_bytes, or where it is not near to what was folded in before.';

create or replace function engram._ids(members engram.memory[]) returns bigint[]
    language sql immutable parallel safe
begin atomic
    select array_agg(m.memory_id order by m.ordinality) from unnest(_ids.members) with ordinality m;
end;

comment on function engram._ids is 'The ids of memories, in their order.';

create or replace function engram._pair_cosine(model engram.embedding_model, space_id bigint, one bigint, other bigint) returns double precision
    language plpgsql stable
    set search_path from current
as $$
declare
    v_cosine double precision;
begin
    execute format('select 1 - (a.embedding <=> b.embedding) from %1$s a, %1$s b
                     where a.space_id = $1 and a.memory_id = $2 and b.space_id = $1 and b.memory_id = $3', engram._embedding_table(model.model_id))
       into v_cosine using space_id, one, other;
    return v_cosine;
end
$$;

comment on function engram._pair_cosine is 'Cosine of two memories by a model; null if one has no vector.';
