create or replace function engram._gate_parallel(olds text[], news text[], only_old text[], only_new text[]) returns boolean
    language sql immutable parallel safe
begin atomic
    select cardinality(only_old) > 0 and cardinality(only_new) > 0
       and (select array_agg(o.t = any (only_old) order by o.n) from unnest(olds) with ordinality o (t, n) where left(o.t, 2) <> 'g:')
         = (select array_agg(o.t = any (only_new) order by o.n) from unnest(news) with ordinality o (t, n) where left(o.t, 2) <> 'g:');
end;

comment on function engram._gate_parallel(text[], text[], text[], text[]) is
'Whether two token rows are as long and differ in the same places: such texts put one thing against another, whatever their words have in common.';
