create or replace function engram._gate_spoken_coins(folded text) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    m record;
begin
    for m in select distinct r[1] as said, r[2] as number, r[3] as tenth
               from regexp_matches(folded, '(([0-9]+|[一二两三四五六七八九十百]+)块([1-9一二三四五六七八九]))(?![0-9一二三四五六七八九十百千万个件张次块])', 'g') r
    loop
        folded := replace(folded, m.said, engram._gate_number(m.number) || '.' || engram._gate_number(m.tenth) || '元');
    end loop;
    return folded;
end
$$;

comment on function engram._gate_spoken_coins(text) is 'A price with its tenths said behind the coin: 两块八 is 2.8元.';
