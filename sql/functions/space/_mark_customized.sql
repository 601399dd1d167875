create or replace function engram._mark_customized() returns trigger
    language plpgsql volatile
    set search_path from current
as $$
begin
    if coalesce(current_setting('engram.installing', true), '') <> 'on'
       and (tg_op = 'INSERT'
            or to_jsonb(new) - '{active,customized}'::text[] is distinct from to_jsonb(old) - '{active,customized}'::text[])
    then
        new.customized := true;
    end if;

    return new;
end
$$;

comment on function engram._mark_customized is
'Trigger of the tables of shipped rows: a row that a person adds or changes is theirs, and an upgrade leaves it alone. To return to the shipped
values, set customized to false; the next upgrade then rewrites the row. Which model is active is nobody''s change of its row.';

create or replace trigger customized before insert or update on engram.kind
    for each row execute function engram._mark_customized();

create or replace trigger customized before insert or update on engram.scoring_profile
    for each row execute function engram._mark_customized();

create or replace trigger customized before update on engram.embedding_model
    for each row execute function engram._mark_customized();

create or replace trigger customized before insert or update on engram.job
    for each row execute function engram._mark_customized();
