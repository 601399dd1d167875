create or replace function engram._static_fold(plain text)
    returns text
    language sql immutable strict parallel safe
begin atomic
    select case
        when octet_length(plain) = length(plain) then lower(plain collate "C")
        else translate(
            lower(plain collate "C"),
            'ÆÐØÞĐĦŁŊŒŦΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ',
            'æðøþđħłŋœŧαβγδεζηθικλμνξοπρστυφχψωσабвгдежзийклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ')
    end;
end;

comment on function engram._static_fold(text) is
'The text in lower case for Latin, Greek and Cyrillic letters without accents, the same under every locale of the database.
Keeps the number of characters.';
