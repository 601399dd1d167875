create or replace function engram.search(
    query       text,
    user_id     text default 'default',
    k           integer default 10,
    profile     text default 'balanced',
    kinds       text[] default null,
    tags        text[] default null,
    collections text[] default null,
    metadata    jsonb default null,
    since       timestamptz default null,
    until       timestamptz default null,
    as_of       timestamptz default null,
    min_score   double precision default null,
    embedding   double precision[] default null
) returns setof engram.hit
    language plpgsql stable
    rows 10
    set search_path from current
    set jit = off
    set enable_seqscan = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    v_static_leg text := case when (engram._active_model()).provider = 'static' then 'semantic' else 'static' end;
    v_space   bigint := engram._space_of(user_id);
    v_profile engram.scoring_profile := engram._checked_recall(query, k, profile, kinds, search.metadata, since, until, min_score);
    v_filter  engram.memory_filter := row(kinds, search.tags, collections, search.metadata, since, until, as_of, null);
    v_hits    engram.hit[];
begin
    if embedding is not null then
        perform engram._vector(query, embedding, engram._active_model());
    end if;

    v_hits := array(
        select row(row_number() over (order by h.score desc, h.memory_id)::integer,
               m.memory_id, m.content, m.kind, m.importance, m.tags, m.metadata, m.created_at, m.valid_from, m.valid_until,
               h.score, h.semantic, h.lexical, h.strength, h.graph,
               array_remove(array[case when h.semantic > 0 then case when h.by_static then v_static_leg else 'semantic' end end,
                                  case when h.by_words then 'lexical' end,
                                  case when h.graph > 0 then 'graph' end], null))::engram.hit
          from engram._ranked(v_space, user_id, query, embedding, v_profile, v_filter, k) h
         cross join lateral (select * from engram.memory m where m.space_id = v_space and m.memory_id = h.memory_id offset 0) m
         where min_score is null or h.score >= min_score
         order by h.score desc, h.memory_id
         limit k);

    if engram._has_records(v_space) then
        v_hits := engram._accompanied(v_space, query, v_filter, k, min_score, v_hits);
    end if;
    return query select * from unnest(v_hits);
end
$$;

comment on function engram.search is
'As engram.recall(), but leaves no trace: STABLE, usable in a read-only transaction and on a hot standby. It reinforces nothing.';
