create or replace function engram._latin_text(content text) returns text
    language plpgsql immutable strict parallel safe
    set search_path from current
as $$
begin
    if octet_length(content) = length(content) then
        return content;
    end if;

    return regexp_replace(content, format('[%s]+', engram._cjk_class()), ' ', 'g');
end
$$;

comment on function engram._latin_text is 'The text without its runs of CJK characters.';
