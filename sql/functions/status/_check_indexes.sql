create or replace function engram._check_indexes() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_missing text;
    v_making  text;
    v_invalid text;
    v_mending text;
begin
    select string_agg(m.name, ', ' order by m.name), string_agg(m.statement, ' ' order by m.name)
      into v_missing, v_making
      from (
          select e.name, e.statement
            from engram._expected_indexes() e
           where not exists (select from pg_class c where c.relnamespace = 'engram'::regnamespace and c.relname = e.name and c.relkind = 'i')
          union all
          select format('the HNSW index of embedding_%s', m.model_id),
                 format('CREATE INDEX CONCURRENTLY ON %s USING hnsw (embedding %I.halfvec_cosine_ops) WHERE indexed;', engram._embedding_table(m.model_id),
                        (select x.extnamespace::regnamespace::text from pg_extension x where x.extname = 'vector'))
            from engram.embedding_model m
           where not exists (select from pg_index i
                               join pg_class c on c.oid = i.indexrelid
                               join pg_am a on a.oid = c.relam and a.amname = 'hnsw'
                              where i.indrelid = engram._embedding_table(m.model_id)::regclass)
          union all
          select format('embedding_%s_unindexed', m.model_id),
                 format('CREATE INDEX CONCURRENTLY embedding_%s_unindexed ON %s (space_id, memory_id) WHERE NOT indexed;', m.model_id, engram._embedding_table(m.model_id))
            from engram.embedding_model m
           where to_regclass(format('engram.embedding_%s_unindexed', m.model_id)) is null) m;

    select string_agg(i.indexrelid::regclass::text, ', ' order by i.indexrelid),
           string_agg(format('REINDEX INDEX CONCURRENTLY %s;', i.indexrelid::regclass), ' ' order by i.indexrelid)
      into v_invalid, v_mending
      from pg_index i
      join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'engram'::regnamespace and not i.indisvalid;

    return query values
        ('indexes',
         case when v_missing is null and v_invalid is null then 'ok' else 'error' end,
         coalesce(nullif(concat_ws('; ', 'missing: ' || v_missing, 'invalid: ' || v_invalid), ''), 'all there, all valid'),
         concat_ws(' ', v_making, v_mending));
end
$$;

comment on function engram._check_indexes is 'doctor(): indexes and primary keys that are missing, as after a restore that failed half-way, or invalid.';
