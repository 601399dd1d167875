create or replace function engram._draft_of(entry jsonb) returns engram.draft
    language plpgsql stable
    set search_path from current
as $$
declare
    v_known   text[] := array['user_id'] || array(
        select a.attname::text from pg_attribute a
         where a.attrelid = (select t.typrelid from pg_type t where t.oid = 'engram.draft'::regtype) and a.attnum > 0);
    v_unknown text;
    v_draft   engram.draft;
begin
    if jsonb_typeof(entry) is distinct from 'object' then
        raise exception using
            errcode = 'EG002',
            message = format('a JSON %s is not a memory', coalesce(jsonb_typeof(entry), 'null')),
            hint    = 'Pass an object like {"content": "…"}.';
    end if;

    select string_agg(quote_literal(k.key), ', ' order by k.key) into v_unknown
      from jsonb_object_keys(entry) as k (key)
     where k.key <> all (v_known);
    if v_unknown is not null then
        raise exception using
            errcode = 'EG002',
            message = format('unknown key: %s', v_unknown),
            hint    = format('Use one of: %s. What is your own goes into metadata.', array_to_string(v_known, ', '));
    end if;

    v_draft := jsonb_populate_record(null::engram.draft, entry);
    v_draft.kind := coalesce(v_draft.kind, 'fact');
    return v_draft;
end
$$;

comment on function engram._draft_of is 'A JSON object as a draft. Raises EG002 for a key that no draft has, so that nothing is dropped in silence.';
