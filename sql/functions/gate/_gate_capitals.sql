create or replace function engram._gate_capitals(content text) returns text[]
    language plpgsql immutable parallel safe
    set search_path from current
as $$
begin
    if content !~ '[^.!?\s]\s?[A-Z]' then
        return '{}';
    end if;
    return array(
        select engram._gate_fold(m[1])
          from regexp_matches(content, '(?<=[^.!?。！？:\s]\s|(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Sra)\.\s|[\u3040-\u9fff(])([[:upper:]][A-Za-z0-9\u00c0-\u024f]+)', 'g') m);
end
$$;

comment on function engram._gate_capitals(text) is
'The words of a text that begin with a capital letter and no sentence, in lower case: most are names.';

revoke all on function engram._gate_capitals(text) from public;
