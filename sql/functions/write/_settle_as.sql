create or replace function engram._settle_as(incoming engram.memory, existing engram.memory, verdict text, similarity double precision, evidence jsonb) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_before jsonb;
begin
    if verdict = 'duplicate' then
        return engram._reinforce(existing.space_id, existing.memory_id, engram._as_draft(incoming), similarity, evidence, repeat => incoming.memory_id);
    elsif verdict = 'contradiction' then
        if incoming.valid_from >= existing.valid_from then
            v_before := engram._retire(existing.space_id, existing.memory_id, incoming.memory_id, incoming.valid_from);
        else
            v_before := engram._retire(existing.space_id, incoming.memory_id, existing.memory_id, existing.valid_from);
        end if;
        return engram._record(existing.space_id, 'replace', incoming.memory_id, existing.memory_id, similarity, evidence, v_before);
    end if;

    return null;
end
$$;

comment on function engram._settle_as is
'Acts on a verdict about two current memories of which the first was written later: a duplicate is archived and reinforces the other; of a contradiction the older in truth is
retired. Returns the decision, or null where both stay. Evidence that holds late lets undo bring both back as they were.';
