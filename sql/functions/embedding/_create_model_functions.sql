create or replace function engram._create_model_functions(model_id integer) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_table    text := engram._embedding_table(model_id);
    v_eligible text := 'engram._eligible(m.state, m.valid_from, m.valid_until, m.expires_at, m.kind, m.tags, m.collection, m.metadata, m.created_at, filter)';
begin
    -- A planner that knows neither the space nor the limit would rather sort the whole space than follow the index.
    call engram._replace(array[format('_model_%s_nearest', model_id)], format($function$
create or replace function engram._model_%1$s_nearest(space_id bigint, vector halfvec, filter engram.memory_filter, depth integer, out ids bigint[], out cosines double precision[])
    language plpgsql stable
    set search_path from current
    set plan_cache_mode = force_generic_plan
    set enable_sort = off
    set enable_seqscan = off
as $body$
begin
    select array_agg(n.memory_id order by n.cosine desc, n.memory_id), array_agg(n.cosine order by n.cosine desc, n.memory_id)
      into ids, cosines
      from (
          select b.memory_id, b.cosine
            from (
                (select e.memory_id, 1 - (e.embedding <=> vector) as cosine
                   from %2$s e
                  cross join lateral (select from engram.memory m
                                       where m.space_id = e.space_id and m.memory_id = e.memory_id and %3$s offset 0) m
                  where e.space_id = _model_%1$s_nearest.space_id and e.indexed
                  order by e.embedding <=> vector
                  limit depth)
                union all
                (select s.memory_id, s.cosine
                   from (select c.memory_id, c.cosine
                           from (select e.memory_id, 1 - (e.embedding <=> vector) as cosine
                                   from %2$s e
                                  where e.space_id = _model_%1$s_nearest.space_id and not e.indexed offset 0) c
                          order by c.cosine desc, c.memory_id) s
                  where exists (select from engram.memory m
                                 where m.space_id = _model_%1$s_nearest.space_id and m.memory_id = s.memory_id and %3$s offset 0)
                  limit depth)) b
           order by b.cosine desc, b.memory_id
           limit depth) n;
end
$body$ $function$, model_id, v_table, v_eligible));

    call engram._replace(array[format('_model_%s_scanned', model_id)], format($function$
create or replace function engram._model_%1$s_scanned(space_id bigint, vector halfvec, filter engram.memory_filter, depth integer, spread boolean, out ids bigint[], out cosines double precision[], out lowest double precision)
    language plpgsql stable parallel safe
    set search_path from current
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = on
as $body$
begin
    -- Nearly always enough of the nearest pass the filter; only else is the whole space measured again and put in order.
    for v_round in 1 .. 2 loop
        select array_agg(n.memory_id), array_agg(n.cosine)
          into ids, cosines
          from (select s.memory_id, s.cosine
                  from (select e.memory_id, 1 - (e.embedding <=> vector) as cosine
                          from %2$s e
                         where e.space_id = _model_%1$s_scanned.space_id
                         order by cosine desc, e.memory_id
                         limit case when v_round = 1 then 8 * depth::bigint end) s
                 where exists (select from engram.memory m
                                where m.space_id = _model_%1$s_scanned.space_id and m.memory_id = s.memory_id and %3$s offset 0)
                 order by s.cosine desc, s.memory_id
                 limit depth) n;
        exit when cardinality(ids) = depth;
    end loop;
    if spread then
        select min(1 - (e.embedding <=> vector)) into lowest from %2$s e where e.space_id = _model_%1$s_scanned.space_id;
    end if;
end
$body$ $function$, model_id, v_table, v_eligible));

    call engram._replace(array[format('_model_%s_cosines', model_id)], format($function$
create or replace function engram._model_%1$s_cosines(space_id bigint, vector halfvec, among bigint[], out ids bigint[], out cosines double precision[])
    language plpgsql stable parallel safe
    set search_path from current
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
as $body$
begin
    select array_agg(e.memory_id), array_agg(1 - (e.embedding <=> vector))
      into ids, cosines
      from %2$s e
     where e.space_id = _model_%1$s_cosines.space_id and e.memory_id = any (among);
end
$body$ $function$, model_id, v_table));

    call engram._replace(array[format('_model_%s_store', model_id)], format($function$
create or replace function engram._model_%1$s_store(space_id bigint, memory_id bigint, tenant_id integer, content_hash uuid, vector halfvec, most bigint) returns void
    language plpgsql volatile
    set search_path from current
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
as $body$
#variable_conflict use_column
begin
    insert into %2$s as e (space_id, memory_id, tenant_id, content_hash, embedding, indexed)
    values (_model_%1$s_store.space_id, _model_%1$s_store.memory_id, _model_%1$s_store.tenant_id, _model_%1$s_store.content_hash, vector,
            coalesce((select count(*) from (select from %2$s w where w.space_id = _model_%1$s_store.space_id and not w.indexed limit coalesce(most, 0)) w) >= most, false))
    on conflict (space_id, memory_id) do update
       set content_hash = excluded.content_hash, embedding = excluded.embedding, indexed = excluded.indexed;
end
$body$ $function$, model_id, v_table));

    execute format('comment on function engram._model_%s_nearest is %L', model_id,
                   'The memories of a large space nearest to a vector, under a filter: by the HNSW index, and one by one among the vectors that are not in it yet.');
    execute format('comment on function engram._model_%s_scanned is %L', model_id,
                   'The memories of a space nearest to a vector, under a filter, by looking at every vector of the space; lowest: where spread is asked for, the smallest cosine there is in it.');
    execute format('comment on function engram._model_%s_cosines is %L', model_id,
                   'The cosines of a vector with those of some memories of a space, where the model has embedded them.');
    execute format('comment on function engram._model_%s_store is %L', model_id,
                   'Writes the vector of a memory, outside the HNSW index, unless so many of its space wait there already.');
end
$$;

comment on function engram._create_model_functions is
'Creates the functions that read and write the table of vectors of one model, or replaces those that an older version made: a session that is in one of them goes on. A statement that names its table keeps its plan; one put together for each call is planned each time,
which takes a fifth of a search.';

revoke all on function engram._create_model_functions from public;
