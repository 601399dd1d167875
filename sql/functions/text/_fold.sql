create or replace function engram._fold(content text) returns text
    language plpgsql immutable strict parallel safe
    set search_path from current
as $$
begin
    if octet_length(content) = length(content) then
        return content;
    end if;

    -- In a database of the C locale lower() knows ASCII only, so Greek and Cyrillic are folded by hand.
    return translate(
        normalize(regexp_replace(normalize(content, NFKD), '[\u0300-\u036f]+', '', 'g'), NFKC),
        'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ',
        'αβγδεζηθικλμνξοπρστυφχψωабвгдежзийклмнопрстуфхцчшщъыьэюя');
end
$$;

comment on function engram._fold is
'The text in compatibility form (NFKC) without accents, Latin case kept: full-width letters become plain, é becomes e.';
