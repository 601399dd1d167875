create or replace function engram._items(texts text[]) returns text[]
    language sql immutable parallel safe
begin atomic
    select array(select btrim(t.item, e' \t\r\n') from unnest(_items.texts) with ordinality as t (item, place)
                  where btrim(t.item, e' \t\r\n') <> '' order by t.place);
end;

comment on function engram._items is 'A list as it was given, without empty entries and the white space around the others.';
