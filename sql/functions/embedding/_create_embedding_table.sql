create or replace function engram._create_embedding_table(model engram.embedding_model) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_table text := engram._embedding_table(model.model_id);
begin
    execute format('create table %s (
        space_id     bigint not null,
        memory_id    bigint not null,
        tenant_id    integer not null,
        content_hash uuid not null,
        indexed      boolean not null,
        embedding    halfvec(%s) not null,
        primary key (space_id, memory_id),
        foreign key (space_id, memory_id) references engram.memory on delete cascade)', v_table, model.dims);
    execute format('create index on %s using hnsw (embedding halfvec_cosine_ops) where indexed', v_table);
    execute format('create index embedding_%s_unindexed on %s (space_id, memory_id) where not indexed', model.model_id, v_table);
    execute format('comment on table %s is %L', v_table,
                   format('Vectors of model %s. content_hash is that of the text they were made from; indexed: whether the HNSW index holds it, as for most of a large space.', model.name));
    perform engram._create_model_functions(model.model_id);
    perform engram._protect(v_table::regclass);
    perform engram._copy_grants('engram.memory'::regclass, v_table::regclass);
    call engram._hand_over();
end
$$;

comment on function engram._create_embedding_table is
'Creates the table of vectors of a model, of its own type, so that vectors of two models cannot meet in one distance; whoever may use engram.memory may use it.';

revoke all on function engram._create_embedding_table from public;
