create or replace function engram._append(
    space_id bigint,
    draft    engram.draft,
    model    engram.embedding_model,
    vector   halfvec
) returns engram.remembered
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_id bigint := engram._insert_memory(space_id, draft, model, vector, settle => false);
begin
    if draft.session_id is not null then
        perform engram._link_session(space_id, v_id, draft.session_id, draft.created_at);
    end if;

    return row(v_id, 'new', null, null, '{"rule": "append"}'::jsonb,
               engram._record(space_id, 'new', v_id, evidence => '{"rule": "append"}'))::engram.remembered;
end
$$;

comment on function engram._append is 'Writes a draft without looking for repeats.';
