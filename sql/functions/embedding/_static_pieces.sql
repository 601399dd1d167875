create or replace function engram._static_pieces(word text)
    returns text[]
    language plpgsql stable strict parallel safe
    set search_path from current
as $$
declare
    rest   text := word;
    pieces text[] := '{}';
    piece  text;
    size   integer;
begin
    while rest <> '' loop
        select n, p.piece
          into size, piece
          from generate_series(least(length(rest), 24), 1, -1) as n
               cross join lateral (
                   select coalesce(
                       case when pieces <> '{}' then
                           (select t.token from engram.static_token as t where t.token = '##' || left(rest, n))
                       end,
                       (select t.token from engram.static_token as t where t.token = left(rest, n))) as piece
                   offset 0) as p
         where p.piece is not null
         limit 1;

        if not found then
            piece := engram._static_bucket(rest);
            size := 1;
        end if;
        pieces := pieces || piece;
        rest := substr(rest, size + 1);
    end loop;
    return pieces;
end
$$;

comment on function engram._static_pieces(text) is
'Tokens of a folded word that is not in engram.static_token: the longest known prefix, then the longest known continuation, and
so on; a character that is not known goes to its bucket.';
