create or replace function engram._gate_fold(content text) returns text
    language sql immutable parallel safe
begin atomic
    select case
        when octet_length(content) = length(content) then lower(content)
        else lower(normalize(regexp_replace(normalize(content, nfkd), '[\u0300-\u036f]', '', 'g'), nfc))
    end;
end;

comment on function engram._gate_fold(text) is 'Lower case, without accents and compatibility forms, the same in every locale.';
