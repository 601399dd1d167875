create or replace function engram._gate_fits(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language sql immutable parallel safe
begin atomic
    select case
        when c.shared && array['a:port', 'a:phone', 'a:age', 'a:price', 'a:rent', 'a:pay', 'a:budget', 'a:dues', 'a:deadline', 'a:birthday', 'a:height', 'a:weight', 'a:capacity', 'a:version', 'a:email', 'a:endpoint', 'a:retention']
            then exists (select from unnest(c.values_old) o, unnest(c.values_new) n
                             where engram._gate_alike(o, n) or o || n ~ '^(n:.*b:[0-9.]{3,}|b:[0-9.]{3,}n:.*)$')   -- 3000 and 5000 yen
        when not 'a:home' = any (c.shared) and cardinality(c.values_old) = 0 and array_to_string(c.values_new, ' ') ~ '\m(b:|n:[^ ]*~(?!(s|ms|month)\M))' then false
        when 'a:job' = any (c.shared) and c.words_new <@ array['w:remote', 'w:night', 'w:nightshift', 'w:parttime', 'w:fulltime', 'w:weekends', 'w:overtime']
            then c.words_old <@ array['w:remote', 'w:night', 'w:nightshift', 'w:parttime', 'w:fulltime', 'w:weekends', 'w:overtime']
        when incoming.lang not in ('en', 'es', 'fr', 'de') then true
        when c.shared && array['a:doctor', 'a:dentist', 'a:boss', 'a:ceo', 'a:cto', 'a:cfo', 'a:coo', 'a:mayor', 'a:secretary', 'a:treasurer']
            then engram._gate_unlisted(existing, c.only_old) <> '{}' and engram._gate_unlisted(incoming, c.only_new) <> '{}'
                 and not exists (select from unnest(c.words_old || c.words_new) t where left(t, 2) in ('a:', 'l:'))
        when c.shared && array['a:home']
            then engram._gate_unlisted(existing, c.only_old) = '{}' or engram._gate_unlisted(incoming, c.only_new) <> '{}' or cardinality(c.values_new) > 0
        else true
    end;
end;

comment on function engram._gate_fits(engram.contrast, engram.gate_claims, engram.gate_claims) is
'Whether what differs can be two values of the attribute both texts name: a port, age or deadline is a number or date, a doctor has a name, and who lives in a town does so until another is named.
Else the two tell different things of it (my doctor is patient, my doctor is on holiday).';
