create or replace function engram._static_plain(content text)
    returns text
    language sql immutable strict parallel safe
begin atomic
    select case
        when octet_length(content) = length(content) then content
        else normalize(regexp_replace(normalize(content, nfkd), '[\u0300-\u036f]', '', 'g'), nfkc)
    end;
end;

comment on function engram._static_plain(text) is
'The text with compatibility forms resolved (full width, ligatures) and combining accents removed; case is kept.';
