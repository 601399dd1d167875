create or replace function engram._searched(model engram.embedding_model) returns boolean
    language sql immutable parallel safe
begin atomic
    select (_searched.model).active or (_searched.model).provider <> 'static';
end;

comment on function engram._searched is
'Whether the vectors of a model belong in its HNSW index: of the active model, and of one outside the database, which may become active once it has embedded everything. The static ones kept
beside another model are only compared one by one.';
