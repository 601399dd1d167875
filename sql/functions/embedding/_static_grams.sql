create or replace function engram._static_grams(runs text)
    returns text[]
    language plpgsql stable strict parallel safe
    set search_path from current
as $$
begin
    -- One scan for all sequences, in the order of the index, is faster than a look-up for each.
    return array(
        with gram as materialized (
            select g.gram, c.letter
              from (select letter,
                           letter || lead(letter) over place as two,
                           letter || lead(letter) over place || lead(letter, 2) over place as three,
                           letter || lead(letter) over place || lead(letter, 2) over place || lead(letter, 3) over place as four
                      from string_to_table(runs, null) with ordinality as c (letter, position)
                    window place as (order by position)) as c
                   cross join lateral (values (c.letter), (c.two), (c.three), (c.four)) as g (gram)
             where c.letter <> ' '),
        known as materialized (
            select t.token from engram.static_token as t where t.token = any (array(select gram from gram)))
        select coalesce(known.token, engram._static_bucket(gram.gram))
          from gram
               left join known on known.token = gram.gram
         where known.token is not null or gram.gram = gram.letter);
end
$$;

comment on function engram._static_grams(text) is
'Tokens of unspaced text, runs separated by one space: every known sequence of one to four characters, overlaps included.
A character that is not known goes to its bucket.';
