create or replace function engram.register_model(
    name           text,
    provider       text,
    dims           integer,
    floor          double precision,
    link_at        double precision,
    relation_at    double precision,
    reinforce_at   double precision,
    consolidate_at double precision
) returns integer
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_id    integer;
    v_table text;
    v_installing text := coalesce(current_setting('engram.installing', true), '');
begin
    perform set_config('engram.installing', 'on', true);
    insert into engram.embedding_model as m
           (model_id, name, provider, dims, active, floor, link_at, relation_at, reinforce_at, consolidate_at)
    select coalesce(max(e.model_id), 0) + 1, register_model.name, register_model.provider, register_model.dims,
           count(*) = 0, register_model.floor, register_model.link_at, register_model.relation_at,
           register_model.reinforce_at, register_model.consolidate_at
      from engram.embedding_model e
    on conflict on constraint embedding_model_name_key do update
       set floor = excluded.floor, link_at = excluded.link_at, relation_at = excluded.relation_at,
           reinforce_at = excluded.reinforce_at, consolidate_at = excluded.consolidate_at
     where not m.customized;

    perform set_config('engram.installing', v_installing, true);

    select m.model_id, engram._embedding_table(m.model_id) into v_id, v_table
      from engram.embedding_model m
     where m.name = register_model.name;

    if to_regclass(v_table) is null then
        execute format('create table %s (
            space_id     bigint not null,
            memory_id    bigint not null,
            tenant_id    integer not null,
            content_hash uuid not null,
            embedding    halfvec(%s) not null,
            primary key (space_id, memory_id),
            foreign key (space_id, memory_id) references engram.memory on delete cascade)', v_table, dims);
        execute format('create index on %s using hnsw (embedding halfvec_cosine_ops)', v_table);
        perform engram._protect(v_table::regclass);
        execute format('comment on table %s is %L', v_table,
                       format('Vectors of model %s. content_hash is that of the text they were made from.', name));
    end if;

    return v_id;
end
$$;

comment on function engram.register_model is
'Adds an embedding model with its thresholds and creates its table of vectors, engram.embedding_n; returns n. For a name that
exists it updates the thresholds, unless a person changed them. The first model becomes the active one. dims 1..4000.';

revoke all on function engram.register_model from public;
