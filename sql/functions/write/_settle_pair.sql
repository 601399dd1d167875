create or replace function engram._settle_pair(space_id bigint, incoming bigint, existing bigint, similarity double precision) returns boolean
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_new      engram.memory;
    v_old      engram.memory;
    v_relation engram.relation;
    v_evidence jsonb;
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

    return engram._settle_as(v_new, v_old, v_relation.verdict, similarity, v_evidence) is not null;
end
$$;

comment on function engram._settle_pair is
'Compares two current memories of which the first was written later, and acts on the verdict (see engram._settle_as()). The decision is marked late, and undo brings
both back as they were. Whether anything changed.';
