create or replace function engram._static_parts(words text[])
    returns text[]
    language plpgsql stable strict parallel safe
    set search_path from current
as $$
begin
    return array(
        select piece
          from string_to_table(
                   engram._static_fold(
                       regexp_replace(
                           left(array_to_string(words, ' '), 1024),
                           '([a-z])([A-Z])|([A-Z])([A-Z][a-z])', '\1\3 \2\4', 'g')), ' ') as part
               cross join lateral unnest(
                   coalesce(
                       (select array[t.token] from engram.static_token as t where t.token = part),
                       engram._static_pieces(part))) as piece);
end
$$;

comment on function engram._static_parts(text[]) is
'Tokens of words that engram.static_token doesn''t know whole: the parts of camelCase, and the pieces of those that are unknown
too. The first 1,024 characters of such words count.';
