create or replace function engram.content_hash(content text) returns uuid
    language sql immutable strict parallel safe
begin atomic
    select md5(convert_to(btrim(regexp_replace(
        case when octet_length(content_hash.content) = length(content_hash.content) then content_hash.content else normalize(content_hash.content, NFC) end,
        '\s+', ' ', 'g')), 'UTF8'))::uuid;
end;

comment on function engram.content_hash is
'Identity of a text: equal for texts that differ only in white space or in Unicode composition. Case and punctuation count.';
