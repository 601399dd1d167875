create or replace function engram._embedding_table(model_id integer) returns text
    language sql immutable strict parallel safe
begin atomic
    select 'engram.embedding_' || _embedding_table.model_id;
end;

comment on function engram._embedding_table is 'Name of the table that holds the vectors of a model.';
