create or replace function engram._importance_of(family text, word text) returns double precision
    language plpgsql stable
    set search_path from current
as $$
declare
    v_importance double precision := engram._setting_number(family || '.' || word);
begin
    if v_importance is null then
        raise exception using
            errcode = 'EG002',
            message = format('%s is %s', case family when 'failure' then 'severity' else 'status' end, coalesce(quote_literal(word), 'null')),
            hint    = case family when 'failure' then 'Use critical, major or minor.'
                                  else 'Use planning, in_progress, blocked, review, done or cancelled.' end;
    end if;

    return least(v_importance, 1);
end
$$;

comment on function engram._importance_of is 'Importance of a severity (family failure) or a status (family progress), which are settings. Raises EG002 for a word that is neither.';
