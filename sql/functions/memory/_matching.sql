create or replace function engram._matching(space_id bigint, filter jsonb, archived boolean) returns bigint[]
    language plpgsql stable
    set search_path from current
as $$
declare
    v_problem text;
begin
    if jsonb_typeof(filter) is distinct from 'object' or filter = '{}' then
        v_problem := 'the filter is not an object with at least one key';
    else
        select format('the filter does not know %s as %s', quote_literal(f.key), jsonb_typeof(f.value)) into v_problem
          from jsonb_each(filter) as f (key, value)
         where not coalesce(jsonb_typeof(f.value) = case
                   when f.key in ('kinds', 'tags', 'collections') then 'array'
                   when f.key in ('session_id', 'source_type', 'since', 'until') then 'string'
                   when f.key = 'metadata' then 'object'
                   when f.key = 'all' then 'boolean' end, false)
         order by f.key
         limit 1;
    end if;
    if v_problem is not null then
        raise exception using
            errcode = 'EG002',
            message = v_problem,
            hint    = 'Keys: kinds, tags, collections (arrays), metadata (object), session_id, source_type, since, until (strings), or {"all": true}.';
    end if;

    return array(
        select m.memory_id
          from engram.memory m
         where m.space_id = _matching.space_id
           and (_matching.archived or m.state <> 'archived')
           and (not filter ? 'all' or (filter -> 'all')::boolean)
           and (not filter ? 'kinds' or filter -> 'kinds' ? m.kind)
           and (not filter ? 'tags' or exists (select from unnest(m.tags) as t (tag) where filter -> 'tags' ? t.tag))
           and (not filter ? 'collections' or filter -> 'collections' ? m.collection)
           and (not filter ? 'metadata' or m.metadata @> (filter -> 'metadata'))
           and (not filter ? 'session_id' or m.session_id = filter ->> 'session_id')
           and (not filter ? 'source_type' or m.source_type = filter ->> 'source_type')
           and (not filter ? 'since' or m.created_at >= (filter ->> 'since')::timestamptz)
           and (not filter ? 'until' or m.created_at < (filter ->> 'until')::timestamptz)
         order by m.memory_id);
exception when data_exception then
    raise exception using errcode = 'EG002', message = sqlerrm, hint = 'since and until are timestamps like 2026-05-01T09:00:00Z.';
end
$$;

comment on function engram._matching is
'Ids of the memories of a space that a JSON filter means, archived ones only on demand; every key must hold. Raises EG002 for a key or a type that it does not know.';
