create or replace function engram._static_bucket(letter text)
    returns text
    language sql immutable strict parallel safe
begin atomic
    select '#' || ascii(letter) % 256;
end;

comment on function engram._static_bucket(text) is
'The row of engram.static_token for a character that has no row of its own: one of #0 to #255, by its code point.';
