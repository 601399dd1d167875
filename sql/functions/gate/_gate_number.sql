create or replace function engram._gate_number(numeral text) returns text
    language plpgsql immutable strict parallel safe
    set search_path from current
as $$
declare
    total   numeric := 0;   -- above the current myriad
    section numeric := 0;
    digit   numeric := 0;
    scale   numeric := 1;   -- of the last place word, for the spoken short form: 六千五 is 6500
    mark    text;
    place   integer;
begin
    if numeral ~ '^[0-9.]+$' then
        return case when numeral ~ '^[0-9]+(\.[0-9]+)?$' then trim_scale(numeral::numeric)::text else numeral end;
    end if;
    if numeral !~ '[十百千万亿億]' then
        return translate(numeral, '〇零一二三四五六七八九两', '001234567892');
    end if;
    foreach mark in array string_to_array(numeral, null) loop
        place := strpos('一二三四五六七八九', mark);
        if place > 0 or mark = '两' then
            digit := case when mark = '两' then 2 else place end;
        elsif mark in ('十', '百', '千') then
            scale   := case mark when '十' then 10 when '百' then 100 else 1000 end;
            section := section + greatest(digit, case when digit = 0 and section = 0 or mark = '十' then 1 else digit end) * scale;
            digit   := 0;
        elsif mark in ('万', '亿', '億') then
            scale   := case mark when '万' then 10000 else 100000000 end;
            total   := total + (section + digit) * scale;
            section := 0;
            digit   := 0;
        else
            scale := 1;   -- 零 keeps the next digit in the place of ones
        end if;
    end loop;
    if scale > 10 then
        digit := digit * scale / 10;
    end if;
    return trim_scale(total + section + digit)::text;
end
$$;

comment on function engram._gate_number(text) is
'A number in its shortest digits: 30.0 is 30, 二十五 is 25, 六千五 is 6500, 一百零五 is 105.';
