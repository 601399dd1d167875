create or replace function engram._merged_draft(space_id bigint, memory_id bigint, draft engram.draft) returns engram.draft
    language plpgsql stable
    set search_path from current
as $$
declare
    v_old    engram.memory;
    v_keys   text[];
    v_draft  engram.draft := draft;
    v_room   integer := engram._setting_number('metadata.max_bytes');
begin
    select * into v_old from engram.memory m where m.space_id = _merged_draft.space_id and m.memory_id = _merged_draft.memory_id;
    select array_agg(c.key) into v_keys from engram._clauses(draft.content) c;

    -- What is true at another time, or is made known with a vector of its own, cannot be told in the same breath.
    if draft.embedding is not null or v_old.valid_until is distinct from draft.valid_until or draft.valid_from < v_old.valid_from
       or exists (select from engram._clauses(v_old.content) c where c.key <> all (v_keys)) then
        return null;
    end if;

    v_draft.content    := engram._merged_text(array[v_old.content, draft.content], engram._setting_number('content.max_bytes')::integer);
    v_draft.tags       := v_old.tags || array(select t.tag from unnest(draft.tags) as t (tag) where t.tag <> all (v_old.tags));
    v_draft.metadata   := v_old.metadata || draft.metadata;
    v_draft.importance := greatest(v_old.importance, draft.importance);
    v_draft.confidence := least(v_old.confidence, draft.confidence);
    v_draft.pinned     := v_old.pinned or draft.pinned;
    v_draft.expires_at := case when not v_draft.pinned and v_old.expires_at is not null then greatest(v_old.expires_at, draft.expires_at) end;
    return case when octet_length(array_to_string(v_draft.tags, ' ')) <= v_room and octet_length(v_draft.metadata::text) <= v_room then v_draft end;
end
$$;

comment on function engram._merged_draft is
'What a text and a memory whose every clause it repeats become together: the clauses of both, each once, with the tags and metadata of both. Null where the text leaves a clause out, holds for
another time, or where both together would be longer than the settings content.max_bytes and metadata.max_bytes allow: then they stay apart.';
