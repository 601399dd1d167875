create or replace function engram._write_entry(space_id bigint, draft engram.draft, task_id bigint default null) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_draft   engram.draft := engram._checked_draft(draft);
    v_model   engram.embedding_model := engram._active_model();
    v_vector  halfvec := engram._vector(v_draft.content, v_draft.embedding, v_model);
    v_ids     bigint[];
    v_cosines double precision[];
    v_id      bigint;
begin
    if v_vector is null then
        v_model  := engram._kept_static_model();
        v_vector := case when v_model.model_id is not null then engram.embed(v_draft.content) end;
    end if;

    select array_agg(n.memory_id), array_agg(n.cosine)
      into v_ids, v_cosines
      from engram._nearest(space_id, v_model, v_vector, row(null, null, null, null, null, null, null, '(,)'),
                           not engram._is_indexed(space_id), engram._setting_number('remember.links')::integer) n;

    v_id := engram._insert_memory(space_id, v_draft, v_model, v_vector, settle => false);
    perform engram._link_new(space_id, v_id, v_ids, v_cosines, v_model.link_at, case when task_id is not null then 'part_of' end, task_id);
    if v_draft.session_id is not null then
        perform engram._link_session(space_id, v_id, v_draft.session_id, v_draft.created_at);
    end if;

    return v_id;
end
$$;

comment on function engram._write_entry is
'Writes a record as a memory with all by which it is found, linked to its nearest, to its session and, by part_of, to its task; returns its id. It does not pass the write gate: what is
the same record and what follows it is known by its fields. The caller holds the lock on the space.';
