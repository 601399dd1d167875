create or replace function engram._fold_cluster(space_id bigint, cluster engram.cluster, model engram.embedding_model) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_old      engram.memory;
    v_new      engram.memory;
    v_vectors  jsonb;
    v_recalls  jsonb;
    v_edges    jsonb;
    v_before   jsonb := '{}';
    v_evidence jsonb;
begin
    for v_place in 1 .. cardinality(cluster.retired) loop
        v_before := v_before || engram._retire(space_id, cluster.retired[v_place], cluster.retired_by[v_place],
            (select m.valid_from from engram.memory m where m.space_id = _fold_cluster.space_id and m.memory_id = cluster.retired_by[v_place]));
    end loop;
    v_edges := engram._ended_by(space_id, cluster.retired, cluster.retired_by);

    if cluster.folded <> '{}' then
        select * into v_old from engram.memory m where m.space_id = _fold_cluster.space_id and m.memory_id = cluster.kept;
        v_new     := engram._with_members(v_old, cluster);
        v_vectors := case when v_new.content <> v_old.content then engram._outside_vectors(space_id, cluster.kept) end;
        v_before  := v_before || engram._restore(space_id, jsonb_build_object(cluster.kept, engram._changes(v_new, v_old)));

        update engram.memory m
           set state = 'archived', superseded_by = cluster.kept, updated_at = now()
         where m.space_id = _fold_cluster.space_id and m.memory_id = any (cluster.folded);
        v_before  := v_before || (select jsonb_object_agg(f.id, '{"state": "active", "superseded_by": null}'::jsonb) from unnest(cluster.folded) as f (id));
        v_edges   := engram._edges_joined(v_edges, engram._move_edges(space_id, cluster.folded, cluster.kept));
        v_recalls := engram._move_recalls(space_id, cluster.folded, cluster.kept);
    end if;

    v_evidence := jsonb_strip_nulls(jsonb_build_object(
        'model', model.name, 'threshold', model.consolidate_at, 'verdicts', cluster.verdicts, 'folded', to_jsonb(cluster.folded),
        'retired', to_jsonb(cluster.retired), 'retired_by', to_jsonb(cluster.retired_by)))
        || jsonb_build_object('beside', jsonb_build_object('edges', v_edges, 'recalls', v_recalls, 'vectors', v_vectors));
    return engram._record(space_id, 'consolidate', cluster.kept, coalesce(cluster.folded[1], cluster.retired[1]),
                          (select min((v.value ->> 'cosine')::double precision) from jsonb_each(cluster.verdicts) as v (key, value)), v_evidence, v_before);
end
$$;

comment on function engram._fold_cluster is
'Carries out what becomes of a cluster, with one decision, which keeps all that undo() needs: the memories as they were, edges, recall counts and vectors from outside the database. The caller holds the lock of the space.';

create or replace function engram._with_members(kept engram.memory, cluster engram.cluster) returns engram.memory
    language plpgsql stable
    set search_path from current
as $$
declare
    v_member engram.memory;
    v_tags   text[];
    v_room   integer := engram._setting_number('metadata.max_bytes');
begin
    kept.content := cluster.content;
    for v_member in
        select m.* from engram.memory m where m.space_id = kept.space_id and m.memory_id = any (cluster.folded) order by m.memory_id
    loop
        v_tags             := kept.tags || array(select t.tag from unnest(v_member.tags) as t (tag) where t.tag <> all (kept.tags));
        kept.tags          := case when octet_length(array_to_string(v_tags, ' ')) <= v_room then v_tags else kept.tags end;
        kept.metadata      := case when octet_length((v_member.metadata || kept.metadata)::text) <= v_room then v_member.metadata || kept.metadata else kept.metadata end;
        kept.importance    := greatest(kept.importance, v_member.importance);
        kept.reinforced_at := greatest(kept.reinforced_at, v_member.reinforced_at);
        kept.valid_from    := least(kept.valid_from, v_member.valid_from);
        kept.expires_at    := case when kept.expires_at is not null and v_member.expires_at is not null then greatest(kept.expires_at, v_member.expires_at) end;
    end loop;
    return kept;
end
$$;

comment on function engram._with_members is
'A kept memory with what its members bring: the text, tags, keys of metadata that it lacks, the highest importance, the latest reinforcement, the earliest truth, and no end of its time to live if one of them has none.';
