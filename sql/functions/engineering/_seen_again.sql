create or replace function engram._seen_again(known engram.memory, draft engram.draft, user_id text, task_id bigint) returns engram.remembered
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_revised engram.remembered := engram.revise(known.memory_id, draft.content, user_id, importance => draft.importance, metadata => draft.metadata);
begin
    if task_id is not null then
        perform engram._link_new(known.space_id, known.memory_id, null, null, null, 'part_of', task_id);
    end if;

    v_revised.action := 'reinforce';
    return v_revised;
end
$$;

comment on function engram._seen_again is 'A failure that is known happened again: the memory takes what is new, by a decision that undo reverses.';
