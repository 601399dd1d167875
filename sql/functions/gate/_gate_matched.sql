create or replace function engram._gate_matched(olds text[], news text[], topics text[]) returns text[]
    language plpgsql immutable parallel safe
    set search_path from current
as $$
begin
    if olds <@ news then
        return olds;
    end if;
    return array(
        select case when o.t <> all (news)
                     and case left(o.t, 2) when 'w:' then left(o.t, 7) when 'n:' then split_part(o.t, '~', 1) when 'b:' then 'n:' || substr(o.t, 3) end = any (topics)
                    then coalesce((select n.t from unnest(news) n (t) where engram._gate_same(o.t, n.t) limit 1), o.t)
                    else o.t end
          from unnest(olds) with ordinality as o (t, place)
         order by o.place);
end
$$;

comment on function engram._gate_matched(text[], text[], text[]) is
'The old tokens, each written as the new text, of these topics, writes the same thing.';
