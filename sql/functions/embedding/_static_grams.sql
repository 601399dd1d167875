create or replace function engram._static_grams(runs text)
    returns text[]
    language plpgsql stable strict parallel safe
    set search_path from current
as $$
begin
    return array(
        select coalesce(found.token, engram._static_bucket(g.gram))
          from (select letter,
                       letter || lead(letter) over place as two,
                       letter || lead(letter) over place || lead(letter, 2) over place as three,
                       letter || lead(letter) over place || lead(letter, 2) over place || lead(letter, 3) over place as four
                  from string_to_table(runs, null) with ordinality as c (letter, position)
                window place as (order by position)) as c
               cross join lateral (values (c.letter), (c.two), (c.three), (c.four)) as g (gram)
               cross join lateral (
                   select (select t.token from engram.static_token as t where t.token = g.gram) as token offset 0) as found
         where c.letter <> ' '
           and (found.token is not null or g.gram = c.letter));
end
$$;

comment on function engram._static_grams(text) is
'Tokens of unspaced text, runs separated by one space: every known sequence of one to four characters, overlaps included.
A character that is not known goes to its bucket.';
