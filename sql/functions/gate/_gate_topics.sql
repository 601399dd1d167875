create or replace function engram._gate_topics(tokens text[]) returns text[]
    language sql immutable parallel safe
begin atomic
    select coalesce(array_agg(distinct case left(t, 2)
                                  when 'w:' then left(t, 7)
                                  when 'n:' then split_part(t, '~', 1)
                                  when 's:' then split_part(t, '=', 1)
                                  when 'b:' then 'n:' || substr(t, 3)
                                  else t end), '{}')
      from unnest(tokens) t
     where left(t, 2) not in ('g:', 'd:', 't:');
end;

comment on function engram._gate_topics(text[]) is
'The tokens by which two texts have anything in common at all, coarse enough that engram._gate_same() never pairs tokens of two topics.';
