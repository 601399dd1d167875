create or replace function engram._beside(memory engram.memory, legs text[]) returns engram.hit
    language sql stable
begin atomic
    select row(null, (_beside.memory).memory_id, (_beside.memory).content, (_beside.memory).kind, (_beside.memory).importance, (_beside.memory).tags,
               (_beside.memory).metadata, (_beside.memory).created_at, (_beside.memory).valid_from, (_beside.memory).valid_until,
               0, 0, 0,
               (select engram._strength_now((_beside.memory).importance, k.lambda, (_beside.memory).reinforced_at, s.last_recalled_at, s.recalls)
                  from engram.kind k
                  left join engram.memory_stat s on s.space_id = (_beside.memory).space_id and s.memory_id = (_beside.memory).memory_id
                 where k.kind = (_beside.memory).kind),
               0, _beside.legs)::engram.hit;
end;

comment on function engram._beside is 'A memory as a hit that no leg found.';

create or replace function engram._accompanied(
    space_id  bigint,
    query     text,
    filter    engram.memory_filter,
    k         integer,
    min_score double precision,
    hits      engram.hit[]
) returns engram.hit[]
    language plpgsql stable
    set search_path from current
as $$
declare
    v_found   bigint[] := array(select h.memory_id from unnest(hits) h);
    v_handoff engram.memory := engram._newest_handoff(space_id, filter.as_of);
    v_asked   boolean := query ~* engram._setting_text('handoff.asked');
    v_room    integer := case when min_score is null then k / 2 else 0 end;
    v_beside  engram.hit[] := '{}';
    v_best    double precision := coalesce((select max(h.score) from unnest(hits) h), 0);
    -- What the question is about: hits that come near the best one.
    v_about   bigint[] := array(select h.memory_id from unnest(hits) h
                                 where h.rank <= engram._setting_number('recall.seeds') and h.score * 2 >= v_best);
begin
    if v_handoff.memory_id is not null
       and not engram._eligible(v_handoff.state, v_handoff.valid_from, v_handoff.valid_until, v_handoff.expires_at, v_handoff.kind, v_handoff.tags,
                                v_handoff.collection, v_handoff.metadata, v_handoff.created_at, filter)
    then
        v_handoff := null;
    end if;

    if v_handoff.memory_id <> all (v_found) and (v_asked or v_room > 0) then
        v_beside := v_beside || engram._beside(v_handoff, '{pinned}');
    end if;
    if v_room > cardinality(v_beside) then
        v_beside := v_beside || array(
            select engram._beside(m, '{about}')
              from unnest(engram._brought_failures(space_id, query, filter, v_about)) with ordinality as f (id, place)
              join engram.memory m on m.space_id = _accompanied.space_id and m.memory_id = f.id
             where f.id <> all (v_found)
             order by f.place
             limit least(engram._setting_number('recall.failures'), v_room - cardinality(v_beside)));
    end if;

    return array(
        select row(row_number() over (order by a.score desc, a.first desc, a.place), a.memory_id, a.content, a.kind, a.importance, a.tags, a.metadata,
                   a.created_at, a.valid_from, a.valid_until, a.score, a.semantic, a.lexical, a.strength, a.graph, a.legs)::engram.hit
          from (
              select h.place, p.first, h.memory_id, h.content, h.kind, h.importance, h.tags, h.created_at, h.valid_from, h.valid_until,
                     h.semantic, h.lexical, h.strength,
                     h.score + p.lift as score, h.graph + p.lift as graph,
                     h.legs || case when p.first and not h.legs @> '{pinned}' then '{pinned}' else '{}'::text[] end as legs,
                     h.metadata || case when p.pinned then jsonb_build_object('steps', engram._judged_steps(v_handoff)) else '{}' end as metadata
                from (
                    select f.*, f.ordinality as place from unnest(hits[1:k - cardinality(v_beside)]) with ordinality f
                    union all
                    select b.*, k + b.ordinality from unnest(v_beside) with ordinality b
                ) h
               cross join lateral (select h.memory_id is not distinct from v_handoff.memory_id as pinned) i
               cross join lateral (select i.pinned, i.pinned and v_asked as first, case when i.pinned and v_asked then v_best else 0 end as lift) p
          ) a
         order by a.score desc, a.first desc, a.place);
end
$$;

comment on function engram._accompanied is
'The hits of a recall with what belongs to them in an agent''s work: the newest hand-off, with the state of its steps, and failures of the components in question. Who is not among the hits takes one of the
last places, up to half of k. Where the question asks where work stopped, the hand-off is lifted by the best score, which puts it first. Filters hold for them too, and min_score keeps out what has no score.';
