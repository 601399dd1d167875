create or replace function engram._same_name(one text, other text) returns boolean
    language sql immutable parallel safe
begin atomic
    select lower(engram._fold(btrim(_same_name.one, e' \t\r\n.;!。；！')))
         = lower(engram._fold(btrim(_same_name.other, e' \t\r\n.;!。；！')));
end;

comment on function engram._same_name is 'Whether two short texts are the same but for case, accents, width and the punctuation around them.';
