create or replace function engram._checked_draft(draft engram.draft) returns engram.draft
    language plpgsql stable
    set search_path from current
as $$
declare
    v_kind  engram.kind := engram._known_kind(draft.kind);
    v_limit integer     := engram._setting_number('content.max_bytes');
    v_expires_at timestamptz;
    v_problem text;
begin
    if draft.content is null or draft.content !~ '[^\s\u200b-\u200f\u2028-\u202f\u2060\ufeff\u3000]' then
        raise exception using
            errcode = 'EG001',
            message = 'content is empty',
            hint    = 'Pass a text with at least one visible character.';
    end if;

    if octet_length(draft.content) > v_limit then
        raise exception using
            errcode = 'EG001',
            message = format('content has %s bytes; the limit is %s', octet_length(draft.content), v_limit),
            hint    = 'Remember it in parts, or raise the limit: SELECT engram.configure(''content.max_bytes'', …);';
    end if;

    draft.created_at := coalesce(draft.created_at, now());
    draft.valid_from := coalesce(draft.valid_from, draft.created_at);
    draft.importance := coalesce(draft.importance, 0.5);
    draft.confidence := coalesce(draft.confidence, 1);
    draft.collection := coalesce(draft.collection, 'default');
    draft.tags       := coalesce(draft.tags, '{}');
    draft.metadata   := coalesce(draft.metadata, '{}');
    draft.pinned     := coalesce(draft.pinned, false);
    v_expires_at     := case when v_kind.time_to_live is not null and engram._storable(draft.created_at)
                             then least(draft.created_at + v_kind.time_to_live, timestamptz '9999-12-30 00:00:00+00') end;
    draft.expires_at := case when not draft.pinned then coalesce(draft.expires_at, v_expires_at) end;

    v_problem := case
        when draft.importance not between 0 and 1 then format('importance is %s; it must be 0 to 1', draft.importance)
        when draft.confidence not between 0 and 1 then format('confidence is %s; it must be 0 to 1', draft.confidence)
        when jsonb_typeof(draft.metadata) <> 'object' then format('metadata is a JSON %s, not an object', jsonb_typeof(draft.metadata))
        when octet_length(draft.metadata::text) > engram._setting_number('metadata.max_bytes') then 'metadata is longer than the setting metadata.max_bytes'
        when array_ndims(draft.tags) > 1 then 'tags holds lists'
        when array_position(draft.tags, null) is not null then 'tags holds null'
        when octet_length(array_to_string(draft.tags, ' ')) > engram._setting_number('metadata.max_bytes') then 'tags are longer than the setting metadata.max_bytes'
        when draft.collection = '' then 'collection is empty'
        when draft.valid_until <= draft.valid_from then 'valid_until is not after valid_from'
        when draft.valid_until = 'infinity' then 'valid_until is infinity; leave it out for what has no end'
        when not (engram._storable(draft.created_at) and engram._storable(draft.valid_from)
                  and engram._storable(draft.valid_until) and engram._storable(draft.expires_at))
        then 'a time is not in the years 1 to 9999'
        else coalesce(engram._name_problem('collection', draft.collection), engram._name_problem('source_type', draft.source_type),
                      engram._name_problem('session_id', draft.session_id))
    end;
    if v_problem is not null then
        raise exception using errcode = 'EG002', message = v_problem, hint = 'importance and confidence are 0 to 1, tags texts, metadata a JSON object, valid_from is before valid_until.';
    end if;

    return draft;
end
$$;

comment on function engram._checked_draft is
'A draft with its defaults filled in, once every field is found good. Raises EG001, EG002 or EG003.';
