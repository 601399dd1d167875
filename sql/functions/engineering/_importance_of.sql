create or replace function engram._importance_of(family text, word text) returns double precision
    language plpgsql stable
    set search_path from current
as $$
declare
    v_known text[] := case family
        when 'failure' then array['failure.critical', 'failure.major', 'failure.minor']
        else array['progress.planning', 'progress.in_progress', 'progress.blocked', 'progress.review', 'progress.done', 'progress.cancelled'] end;
begin
    if (family || '.' || word) = any (v_known) is not true then
        raise exception using
            errcode = 'EG002',
            message = format('%s is %s', case family when 'failure' then 'severity' else 'status' end, coalesce(quote_literal(word), 'null')),
            hint    = case family when 'failure' then 'Use critical, major or minor.'
                                  else 'Use planning, in_progress, blocked, review, done or cancelled.' end;
    end if;

    return least(engram._setting_number(family || '.' || word), 1);
end
$$;

comment on function engram._importance_of is 'Importance of a severity (family failure) or a status (family progress), which are settings. Raises EG002 for a word that is neither.';
