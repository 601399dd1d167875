create or replace function engram.register_model(
    name           text,
    provider       text,
    dims           integer,
    options        jsonb default '{}',
    floor          double precision default null,
    link_at        double precision default null,
    relation_at    double precision default null,
    reinforce_at   double precision default null,
    consolidate_at double precision default null
) returns integer
    language plpgsql volatile
    set search_path from current
    set jit = off
as $$
declare
    v_model engram.embedding_model;
    v_known engram.embedding_model;
begin
    if array[floor, link_at, relation_at, reinforce_at, consolidate_at] && array['NaN', 'infinity', '-infinity']::double precision[] or consolidate_at <= 0 then
        raise exception using
            errcode = 'EG002',
            message = 'a threshold is no finite number, or consolidate_at is not above 0',
            hint    = 'Thresholds are cosines; what is left out is filled in, and engram.calibrate_model() measures it.';
    end if;
    perform engram._checked_model(register_model.name, register_model.provider, register_model.dims, register_model.options);
    perform pg_advisory_xact_lock(hashtextextended('engram models', 0));

    select * into v_known from engram.embedding_model m where m.name = register_model.name;
    if v_known.dims <> register_model.dims or v_known.provider <> register_model.provider then
        raise exception using
            errcode = 'EG009',
            message = format('model %L exists with provider %s and %s dimensions', name, v_known.provider, v_known.dims),
            hint    = 'Register the other one under another name, or drop this one first: SELECT engram.drop_model(…);';
    end if;

    v_model := engram._model_row(register_model.name, register_model.provider, register_model.dims, register_model.options,
                                 register_model.floor, register_model.link_at, register_model.relation_at,
                                 register_model.reinforce_at, register_model.consolidate_at);
    if v_known.model_id is null then
        perform engram._create_embedding_table(v_model);
        perform engram._queue_all(v_model);
    end if;

    return v_model.model_id;
exception when check_violation then
    raise exception using
        errcode = 'EG002',
        message = format('the thresholds of model %L contradict each other', name),
        detail  = sqlerrm,
        hint    = 'floor is below link_at and relation_at, and relation_at is at most reinforce_at.';
end
$$;

comment on function engram.register_model is
'Adds an embedding model, creates its table of vectors engram.embedding_n with an HNSW index, queues every memory for it, and returns n. provider: sentence-transformers,
openai (any compatible server), or caller (the application passes vectors). dims 1..4000. options: see the column. Thresholds left out are those shipped
for a model of that name, else cautious ones; engram.calibrate_model() measures them. For a model that exists it updates options and the thresholds given. The
first model becomes the active one. Raises EG002 for a bad argument, EG009 for a name that is taken by another model.';

revoke all on function engram.register_model from public;
