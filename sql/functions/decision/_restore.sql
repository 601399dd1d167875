create or replace function engram._restore(space_id bigint, images jsonb) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_image  record;
    v_old    engram.memory;
    v_new    engram.memory;
    v_before jsonb := '{}';
begin
    for v_image in select i.key::bigint as id, i.value from jsonb_each(images) as i (key, value) order by i.key::bigint loop
        select * into v_old from engram.memory m
         where m.space_id = _restore.space_id and m.memory_id = v_image.id for no key update;
        continue when not found;

        v_new := jsonb_populate_record(v_old, v_image.value);
        update engram.memory m
           set content = v_new.content, kind = v_new.kind, importance = v_new.importance, confidence = v_new.confidence,
               collection = v_new.collection, tags = v_new.tags, metadata = v_new.metadata, pinned = v_new.pinned,
               reinforced_at = v_new.reinforced_at, valid_from = v_new.valid_from, valid_until = v_new.valid_until,
               expires_at = v_new.expires_at, state = v_new.state, superseded_by = v_new.superseded_by, updated_at = now()
         where m.space_id = v_old.space_id and m.memory_id = v_old.memory_id;
        if v_new.content <> v_old.content then
            perform engram._index_content(v_new);
        end if;

        v_before := v_before || jsonb_build_object(v_old.memory_id, engram._changes(v_old, v_new));
    end loop;

    return v_before;
end
$$;

comment on function engram._restore is 'Puts columns of memories back to the given values, keyed by memory_id; returns those they had, in the same form.';
