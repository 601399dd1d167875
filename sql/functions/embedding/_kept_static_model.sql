create or replace function engram._kept_static_model() returns engram.embedding_model
    language sql stable parallel safe
begin atomic
    select m from engram.embedding_model m
     where m.provider = 'static' and (m.active or engram._setting_number('static.keep_filled') <> 0)
     limit 1;
end;

comment on function engram._kept_static_model is 'The static model, if its vectors are kept: it is active, or the setting static.keep_filled says so.';
