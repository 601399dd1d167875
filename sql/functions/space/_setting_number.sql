create or replace function engram._setting_number(name text) returns double precision
    language plpgsql stable strict parallel safe
    set search_path from current
as $$
begin
    return (select coalesce(s.value, s.default_value)::double precision from engram.setting s where s.name = _setting_number.name);
end
$$;

comment on function engram._setting_number is 'The effective value of a numeric setting; null for a name that does not exist.';

create or replace function engram._setting_text(name text) returns text
    language plpgsql stable strict parallel safe
    set search_path from current
as $$
begin
    return (select coalesce(s.value, s.default_value) from engram.setting s where s.name = _setting_text.name);
end
$$;

comment on function engram._setting_text is 'The effective value of a setting as text; null for a name that does not exist.';
