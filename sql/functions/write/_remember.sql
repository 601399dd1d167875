create or replace function engram._remember(user_id text, draft engram.draft, policy text) returns engram.remembered
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_draft  engram.draft := engram._checked_draft(draft);
    v_policy text := engram._write_policy(v_draft.kind, policy);
    v_model  engram.embedding_model := engram._active_model();
    v_vector halfvec;
    v_space  bigint;
    v_known  engram.memory;
begin
    v_vector := engram._vector(v_draft.content, v_draft.embedding, v_model);
    if v_vector is null then
        -- The active model lives outside and its vector comes later: until then the static one serves.
        v_model := engram._kept_static_model();
        v_vector := case when v_model.model_id is not null then engram.embed(v_draft.content) end;
    end if;
    v_space  := engram._open_space(user_id);

    if v_policy = 'append' then
        return engram._append(v_space, v_draft, v_model, v_vector);
    end if;

    perform pg_advisory_xact_lock(v_space);

    v_known := engram._same_text(v_space, v_draft);
    if v_known.memory_id is not null and v_policy = 'reject' then
        return engram._reject(v_space, v_known.memory_id, v_draft, 1.0, '{"rule": "exact"}');
    elsif v_known.memory_id is not null then
        return row(v_known.memory_id, 'reinforce', null, 1.0, '{"rule": "exact"}'::jsonb,
                   engram._reinforce(v_space, v_known.memory_id, v_draft, 1.0, '{"rule": "exact"}'))::engram.remembered;
    end if;

    return engram._resolve(v_space, v_draft, v_model, v_vector, v_policy);
end
$$;

comment on function engram._remember is
'remember() for a whole draft. The lock on the space makes exact and near repeats safe under concurrent writers; it is held until commit.';
