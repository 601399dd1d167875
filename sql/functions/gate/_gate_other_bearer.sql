create or replace function engram._gate_other_bearer(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language sql immutable parallel safe
begin atomic
    select coalesce(l.news && array(select t from unnest(c.values_new) t where left(t, 2) = 'i:') and array_to_string(c.values_old, ' ') !~ '\mi:'
                    or l.olds && c.words_old and l.news && c.words_new and l.olds && c.shared and l.news && c.shared
                       and not 'o:own' = any (c.shared)
                    or existing.tokens[1] = any (c.words_old) and incoming.tokens[1] = any (c.words_new)
                       and existing.tokens[2] = incoming.tokens[2] and left(existing.tokens[2], 2) = 'w:', false)
      from (select (select array_agg(t) from unnest(existing.tokens) with ordinality u (t, n)
                     where n < o.n and left(t, 2) in ('w:', 'c:', 'i:', 'p:')) as olds,
                   (select array_agg(t) from unnest(incoming.tokens) with ordinality u (t, n)
                     where n < i.n and left(t, 2) in ('w:', 'c:', 'i:', 'p:')) as news
              from (select min(n) as n from unnest(existing.tokens) with ordinality u (t, n) where left(t, 2) in ('n:', 'b:', 'd:', 't:', 'v:')) o,
                   (select min(n) as n from unnest(incoming.tokens) with ordinality u (t, n) where left(t, 2) in ('n:', 'b:', 'd:', 't:', 'v:')) i) l;
end;

comment on function engram._gate_other_bearer(engram.contrast, engram.gate_claims, engram.gate_claims) is
'Whether what two texts tell belongs to different things: before their number, date or time each names something that the other does not beside what both name (the autumn fair and the book
fair), each begins with another name of the same thing (Anna''s desk, Paul''s desk), or the incoming text names by a label what the existing one does not (tenant B). What changes with the one says
nothing of the other.';
