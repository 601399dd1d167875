create or replace function engram.active_model(out name text, out provider text, out dims integer, out options jsonb)
    language sql stable parallel safe
begin atomic
    select m.name, m.provider, m.dims, m.options from engram.embedding_model m where m.active;
end;

comment on function engram.active_model is 'The model that writes and recalls use, and how to reach it: what a client needs to embed a question.';
