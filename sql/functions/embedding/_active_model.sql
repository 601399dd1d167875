create or replace function engram._active_model() returns engram.embedding_model
    language sql stable parallel safe
begin atomic
    select m from engram.embedding_model m where m.active;
end;

comment on function engram._active_model is 'The embedding model that writes and recalls use.';
