create or replace function engram._reinforce(
    space_id   bigint,
    memory_id  bigint,
    draft      engram.draft,
    similarity double precision,
    evidence   jsonb,
    repeat     bigint default null
) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_old      engram.memory;
    v_before   jsonb;
    v_tags     text[];
    v_metadata jsonb;
    -- A memory that its repeats let outgrow the limit could not be revised or imported any more.
    v_room     integer := engram._setting_number('metadata.max_bytes');
begin
    select * into v_old
      from engram.memory m
     where m.space_id = _reinforce.space_id and m.memory_id = _reinforce.memory_id
       for no key update;
    v_tags     := v_old.tags || array(select t.tag from unnest(draft.tags) as t (tag) where t.tag <> all (v_old.tags));
    v_metadata := draft.metadata || v_old.metadata;
    v_before   := jsonb_build_object(v_old.memory_id, jsonb_build_object(
                      'importance', v_old.importance, 'tags', v_old.tags, 'metadata', v_old.metadata, 'reinforced_at', v_old.reinforced_at,
                      'valid_from', v_old.valid_from, 'valid_until', v_old.valid_until, 'expires_at', v_old.expires_at)
                      || case when v_old.state = 'archived' then '{"state": "archived"}'::jsonb else '{}' end);

    update engram.memory m
       set importance    = greatest(v_old.importance, draft.importance),
           tags          = case when octet_length(array_to_string(v_tags, ' ')) <= v_room then v_tags else v_old.tags end,
           metadata      = case when octet_length(v_metadata::text) <= v_room then v_metadata else v_old.metadata end,
           reinforced_at = greatest(v_old.reinforced_at, now()),
           valid_from    = least(v_old.valid_from, draft.valid_from),
           valid_until   = coalesce(draft.valid_until, v_old.valid_until),
           expires_at    = case when v_old.expires_at is null or draft.expires_at is null then null
                                else greatest(v_old.expires_at, draft.expires_at) end,
           -- Expiry takes no lock on the space, and may have archived it since the gate found it.
           state         = case v_old.state when 'archived' then 'active' else v_old.state end
     where m.space_id = _reinforce.space_id and m.memory_id = _reinforce.memory_id;

    if repeat is not null then
        update engram.memory m set state = 'archived', updated_at = now()
         where m.space_id = _reinforce.space_id and m.memory_id = repeat;
        v_before := v_before || jsonb_build_object(repeat, '{"state": "active"}'::jsonb);
    end if;

    return engram._record(space_id, 'reinforce', memory_id, repeat, similarity,
                          evidence || jsonb_build_object('incoming', draft.content), v_before);
end
$$;

comment on function engram._reinforce is
'The same fact again: strength counts from now, importance is the higher of the two, new tags and metadata keys are added
while the setting metadata.max_bytes has room for them all, none is overwritten; an end of its truth that the repeat names is taken over. The incoming text stays in the decision. repeat: a memory of its own that turned out to say the same, which is archived. Returns the decision.';
