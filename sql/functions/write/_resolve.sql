create or replace function engram._resolve(
    space_id bigint,
    draft    engram.draft,
    model    engram.embedding_model,
    vector   halfvec,
    policy   text
) returns engram.remembered
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_near     engram.neighborhood := engram._neighborhood(space_id, draft, model, vector);
    v_claims   engram.gate_claims  := engram._claims(draft.content);
    v_relation engram.relation     := engram._relate(v_claims, v_near.gate_ids, engram._gate_stored(space_id, v_near.gate_ids), v_near.gate_cosines);
    v_newer    engram.relation;
    v_evidence jsonb;
    v_known_from timestamptz;
    v_late     boolean := false;
    v_passing  boolean := false;
    v_merged   engram.draft;
    v_before   jsonb;
    v_id       bigint;
    v_action   text;
    v_decision bigint;
begin
    if v_relation.verdict = 'duplicate' then
        v_newer := engram._relation_with_newer(space_id, v_relation.memory_id, v_claims, v_near, draft.valid_from);
        if v_newer.verdict = 'contradiction' then
            v_relation := v_newer;
        end if;
    end if;
    v_evidence := jsonb_build_object('rule', v_relation.rule, 'verdict', v_relation.verdict, 'confidence', v_relation.confidence)
               || coalesce(v_relation.evidence, '{}');

    if v_relation.verdict = 'duplicate' and policy = 'reject' then
        return engram._reject(space_id, v_relation.memory_id, draft, v_relation.similarity, v_evidence);
    elsif v_relation.verdict = 'duplicate' then
        return row(v_relation.memory_id, 'reinforce', null, v_relation.similarity, v_evidence,
                   engram._reinforce(space_id, v_relation.memory_id, draft, v_relation.similarity, v_evidence))::engram.remembered;
    end if;

    if v_relation.verdict = 'contradiction' then
        select m.valid_from, draft.valid_until < coalesce(m.valid_until, 'infinity') into v_known_from, v_passing
          from engram.memory m
         where m.space_id = _resolve.space_id and m.memory_id = v_relation.memory_id;
        v_late := draft.valid_from < v_known_from;
        -- What holds only for a while ends nothing that goes on after it.
        v_evidence := v_evidence || case when v_passing then '{"passing": true}'::jsonb
                                         when v_late then '{"out_of_order": true}' else '{}' end;
    elsif v_relation.verdict = 'complement' and policy = 'merge' then
        v_merged := engram._merged_draft(space_id, v_relation.memory_id, draft);
        if v_merged.content is not null then
            v_evidence := v_evidence || jsonb_build_object('incoming', draft.content);
            draft      := v_merged;
            vector     := engram._vector(draft.content, null, model);
            v_claims   := engram._claims(draft.content);
        end if;
    end if;

    v_id := engram._insert_memory(space_id, draft, model, vector, settle => true, claims => v_claims);
    perform engram._link_new(space_id, v_id, v_near.link_ids, v_near.link_cosines, model.link_at,
                             case v_relation.verdict when 'contradiction' then case when v_late or v_passing then 'contradicts' else 'supersedes' end
                                                     when 'complement' then case when v_merged.content is null then 'complements' else 'supersedes' end end,
                             v_relation.memory_id);
    if draft.session_id is not null then
        perform engram._link_session(space_id, v_id, draft.session_id, draft.created_at);
    end if;

    if v_passing then
        null;
    elsif v_late then
        v_before := engram._retire_late(space_id, v_id, v_relation.memory_id);
    elsif v_relation.verdict = 'contradiction' or v_merged.content is not null then
        v_before := engram._retire(space_id, v_relation.memory_id, v_id, draft.valid_from);
    end if;
    v_action := case when v_before is null or v_late then 'new' when v_merged.content is not null then 'merge' else 'replace' end;

    v_decision := engram._record(space_id, v_action, v_id, v_relation.memory_id, v_relation.similarity, v_evidence, v_before);
    if engram._setting_number('judge.enabled') = 1 and v_relation.confidence < engram._setting_number('judge.below')
       and (v_action = 'replace' or v_action = 'new' and v_relation.verdict in ('complement', 'distinct')) then
        perform engram._queue_judgement(space_id, v_decision);
    end if;
    return row(v_id, v_action, v_relation.memory_id, v_relation.similarity, v_evidence, v_decision)::engram.remembered;
end
$$;

comment on function engram._resolve is
'The write gate after the exact stage: compares the draft with its nearest memories of the same kind and collection and acts on the verdict. duplicate:
reinforce, unless it contradicts what came after the memory that it repeats. contradiction: the older of the two is retired, whichever arrived first; but what is true only until a given time retires nothing that goes on after it. complement and distinct: both stay; but by the policy merge a complement that repeats every clause of a memory takes its place.
By the policy reject a duplicate changes nothing.';
