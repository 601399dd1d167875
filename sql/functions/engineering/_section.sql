create or replace function engram._section(label text, items text[]) returns text
    language sql immutable parallel safe
begin atomic
    select case when cardinality(_section.items) > 0
                then chr(10) || _section.label || ': ' || array_to_string(_section.items, '; ') else '' end;
end;

comment on function engram._section is 'A line of a record with its label, or nothing where there is nothing to say.';
