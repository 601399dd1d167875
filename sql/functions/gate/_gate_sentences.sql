create or replace function engram._gate_sentences(content text) returns text[]
    language plpgsql immutable parallel safe
    set search_path from current
as $$
begin
    if length(content) < 160 and octet_length(content) < 300 then
        return null;
    end if;
    return array(select btrim(s)
                   from regexp_split_to_table(regexp_replace(content, '([。！？!?；;]|[.](?=\s))\s*', E'\\1\n', 'g'), '\n+') s
                  where btrim(s) <> '');
end
$$;

comment on function engram._gate_sentences(text) is 'The sentences of a long text, null for a short one.';
