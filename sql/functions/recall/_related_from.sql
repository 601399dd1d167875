create or replace function engram._related_from(model engram.embedding_model) returns double precision
    language sql immutable parallel safe
begin atomic
    select (_related_from.model).floor + ((_related_from.model).link_at - (_related_from.model).floor) / 3;
end;

comment on function engram._related_from is
'The cosine that min-max scaling takes as a full score when nothing reaches it: a third of the way from the model''s floor to its link_at, so that among few
and unrelated memories the best of them does not look like an answer.';
