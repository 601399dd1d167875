create or replace function engram._brought_failures(space_id bigint, query text, filter engram.memory_filter, hits bigint[]) returns bigint[]
    language plpgsql stable
    set search_path from current
as $$
declare
    v_ids        bigint[];
    v_components text[];
begin
    select array_agg(f.memory_id order by f.importance desc, f.created_at desc, f.memory_id desc),
           array_agg(f.component order by f.importance desc, f.created_at desc, f.memory_id desc)
      into v_ids, v_components
      from (
          select m.memory_id, m.importance, m.created_at, m.metadata ->> 'component' as component
            from engram.memory m
           where m.space_id = _brought_failures.space_id and m.collection = 'engineering/failure' and m.state = 'active'
             and engram._eligible(m.state, m.valid_from, m.valid_until, m.expires_at, m.kind, m.tags, m.collection, m.metadata, m.created_at, filter)
           order by m.created_at desc, m.memory_id desc
           limit engram._setting_number('recall.failures_among')
      ) f;
    if v_ids is null then
        return '{}';
    end if;

    -- A component is named by all of its words, in the question or in one of the hits.
    return array(
        with said as materialized (
            select tsvector_to_array(engram.lexemes(query)) as words, null as component
            union all
            select tsvector_to_array(m.lexemes), m.metadata ->> 'component'
              from unnest(hits) as h (id)
             cross join lateral (select m.lexemes, m.metadata from engram.memory m
                                  where m.space_id = _brought_failures.space_id and m.memory_id = h.id offset 0) m
        ),
        named as materialized (
            select c.component
              from (select c.component, engram._placed(c.component) as words
                      from (select distinct n.component from unnest(v_components) as n (component)) c offset 0) c
             where exists (select from said s where s.component = c.component or s.words @> c.words and c.words <> '{}')
        )
        select f.id
          from unnest(v_ids, v_components) with ordinality as f (id, component, place)
          join named n using (component)
         order by f.place);
end
$$;

comment on function engram._brought_failures is
'The failures, worst and latest first, of the components that a question or one of the memories among hits names: each word of the component''s name occurs there.';
