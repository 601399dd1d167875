create or replace function engram._gate_content(token text, roles text[], "values" text[], lang text) returns text[]
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    role  text;
    at    integer;
    value text;
    stem  text;
begin
    if roles is not null then
        foreach role in array array['person', 'single', 'list', 'owner', 'antonym', 'synonym', 'weekday', 'generic'] loop
            at := array_position(roles, role);
            continue when at is null;
            value := "values"[at];
            return case role
                when 'person'  then array['p:' || value]
                when 'single'  then array[case when strpos(value, '=') > 0 then 's:' else 'a:' end || value]
                when 'list'    then array['l:' || value]
                when 'owner'   then array['o:' || value]
                when 'antonym' then array['x:' || substr(value, 2)]
                when 'synonym' then array['w:' || value]
                when 'weekday' then array['d:w' || value]
                else array['g:' || token]
            end;
        end loop;
        if roles && array['stop', 'copula', 'separator', 'negation', 'privative', 'change', 'hypothetical', 'past', 'additive', 'opinion', 'daypart'] then
            return '{}';
        end if;
    end if;
    if token ~ '^[,;、&%…]$' then
        return '{}';
    elsif token ~ '^[a-z]$' then
        return array['i:' || token];
    elsif token ~ '^[\u3005-\u309f\u3400-\u9fff\uf900-\ufaff]' then
        return array['c:' || token];
    end if;
    stem := case when strpos(token, ' ') > 0 then token else engram._gate_stem(token, lang) end;
    return case when stem is null then '{}' else array['w:' || stem] end;
end
$$;

comment on function engram._gate_content(text, text[], text[], text) is 'What a word or phrase of the lexicon contributes to the content of a text; nothing for a function word.';
