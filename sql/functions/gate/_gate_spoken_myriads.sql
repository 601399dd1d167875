create or replace function engram._gate_spoken_myriads(folded text) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    m record;
begin
    for m in select distinct r[1] as said, r[2] as number, r[3] as thousands
               from regexp_matches(folded, '(([0-9]+)万([1-9])千(?![0-9]))', 'g') r
    loop
        folded := replace(folded, m.said, (m.number::numeric * 10000 + m.thousands::numeric * 1000)::text);
    end loop;
    for m in select distinct r[1] as said, r[2] as number, r[3] as scale
               from regexp_matches(folded, '(([0-9]+(?:\.[0-9]+)?)(百万|千万|万|亿|億|千))', 'g') r
    loop
        folded := replace(folded, m.said,
            trim_scale(m.number::numeric * case m.scale when '千' then 1000 when '万' then 10000 when '百万' then 1000000 when '千万' then 10000000 else 100000000 end)::text);
    end loop;
    return regexp_replace(folded, '百分之([0-9.]+|[一二三四五六七八九十百]+)', '\1%', 'g');
end
$$;

comment on function engram._gate_spoken_myriads(text) is 'Digits before 千, 万 and 亿 written out, 1万2千 is 12000, and 百分之五 as 五%.';
