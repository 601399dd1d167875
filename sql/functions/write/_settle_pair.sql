create or replace function engram._settle_pair(space_id bigint, incoming bigint, existing bigint, similarity double precision) returns boolean
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_new      engram.memory;
    v_old      engram.memory;
    v_relation engram.relation;
    v_evidence jsonb;
    v_before   jsonb;
begin
    select * into v_new from engram.memory m where m.space_id = _settle_pair.space_id and m.memory_id = incoming and m.state = 'active';
    select * into v_old from engram.memory m where m.space_id = _settle_pair.space_id and m.memory_id = existing and m.state = 'active';
    if v_new.memory_id is null or v_old.memory_id is null then
        return false;
    end if;

    v_relation := engram._relate((engram._gate_stored(space_id, array[incoming]))[1], array[existing],
                                 engram._gate_stored(space_id, array[existing]), array[similarity]);
    v_evidence := coalesce(v_relation.evidence, '{}')
        || jsonb_build_object('rule', v_relation.rule, 'verdict', v_relation.verdict, 'confidence', v_relation.confidence, 'late', true);

    if v_relation.verdict = 'duplicate' then
        perform engram._reinforce(space_id, v_old.memory_id, engram._as_draft(v_new), similarity, v_evidence, repeat => v_new.memory_id);
        return true;
    elsif v_relation.verdict = 'contradiction' then
        if v_new.valid_from >= v_old.valid_from then
            v_before := engram._retire(space_id, v_old.memory_id, v_new.memory_id, v_new.valid_from);
        else
            v_before := engram._retire(space_id, v_new.memory_id, v_old.memory_id, v_old.valid_from);
        end if;
        perform engram._record(space_id, 'replace', v_new.memory_id, v_old.memory_id, similarity, v_evidence, v_before);
        return true;
    end if;

    return false;
end
$$;

comment on function engram._settle_pair is
'Compares two current memories of which the first was written later, and acts on the verdict: a duplicate is archived and reinforces the other; of a contradiction the older in
truth is retired. The decision is marked late, and undo brings both back as they were.';
