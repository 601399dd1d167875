create or replace function engram._neighborhood(
    space_id bigint,
    draft    engram.draft,
    model    engram.embedding_model,
    vector   halfvec
) returns engram.neighborhood
    language plpgsql stable
    set search_path from current
as $$
declare
    v_result  engram.neighborhood;
    v_depth   integer := engram._setting_number('remember.candidates');
    v_links   integer := engram._setting_number('remember.links');
    v_exact   boolean := not engram._is_indexed(space_id);
    v_speaker text    := lower(draft.metadata ->> 'speaker');
    v_valid   tstzrange := tstzrange(draft.valid_from, draft.valid_until);
    v_others  boolean;
begin
    select (array_agg(n.memory_id order by n.cosine desc, n.memory_id))[1:v_links],
           (array_agg(n.cosine    order by n.cosine desc, n.memory_id))[1:v_links],
           bool_or(m.other),
           array_agg(n.memory_id order by n.cosine desc, n.memory_id) filter (where m.told),
           array_agg(n.cosine    order by n.cosine desc, n.memory_id) filter (where m.told)
      into v_result.link_ids, v_result.link_cosines, v_others, v_result.gate_ids, v_result.gate_cosines
      from engram._nearest(space_id, model, vector, row(null, null, null, null, null, null, null, '(,)'), v_exact, greatest(v_depth, v_links)) n
     cross join lateral (select m.kind <> draft.kind or m.collection <> draft.collection or not tstzrange(m.valid_from, m.valid_until) && v_valid as other,
                                (lower(m.metadata ->> 'speaker') = v_speaker) is not false as told
                           from engram.memory m
                          where m.space_id = _neighborhood.space_id and m.memory_id = n.memory_id offset 0) m;

    -- Where others of another kind, collection or time stand in the way, the gate looks again past them.
    if v_others then
        select array_agg(n.memory_id order by n.cosine desc, n.memory_id), array_agg(n.cosine order by n.cosine desc, n.memory_id)
          into v_result.gate_ids, v_result.gate_cosines
          from engram._nearest(space_id, model, vector, row(array[draft.kind], null, array[draft.collection], null, null, null, null, v_valid), v_exact, v_depth) n
         cross join lateral (select (lower(m.metadata ->> 'speaker') = v_speaker) is not false as told
                               from engram.memory m
                              where m.space_id = _neighborhood.space_id and m.memory_id = n.memory_id offset 0) m
         where m.told;
    end if;

    return v_result;
end
$$;

comment on function engram._neighborhood is
'The nearest memories of a draft: for links among all that are not retired, for the gate among those of its kind and
collection that are valid at the same time and, where metadata names both speakers, told by the same one.';
