create or replace function engram._gate_spoken_thousands(folded text) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    m record;
begin
    for m in select distinct r[1] as said, coalesce(r[2], r[3]) as number
               from regexp_matches(folded, '((?:(?<=[$€£¥] ?)([0-9]+(?:\.[0-9]{1,2})?)k(?![a-z0-9])|\m([0-9]+(?:\.[0-9]{1,2})?)k(?= ?(?:usd|eur|gbp|chf|cny|rmb|jpy|dollars?|euros?|pounds?|francs?|yuan|yen|元|块|円|€|£)(?![a-z]))))', 'g') r
    loop
        folded := replace(folded, m.said, trim_scale(m.number::numeric * 1000)::text);
    end loop;
    return folded;
end
$$;

comment on function engram._gate_spoken_thousands(text) is 'An amount of money in thousands written out: 4.8k dollars is 4800 dollars. A 5k run stays one.';
