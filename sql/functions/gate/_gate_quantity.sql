create or replace function engram._gate_quantity(state engram.gate_reading, token text, roles text[], "values" text[])
    returns engram.gate_reading
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    ahead engram.gate_reading := state;
    unit text := "values"[array_position(roles, 'unit')];
begin
    ahead := engram._gate_minutes(ahead, token);
    if ahead.took then
        return ahead;
    end if;
    ahead.took := true;
    if token ~ '^[〇零一二三四五六七八九十百千万两亿億]$' and (roles is null or roles <@ array['number', 'unit']) then
        ahead.numeral := coalesce(ahead.numeral, '') || token;
        return ahead;
    end if;
    if ahead.numeral is not null then
        ahead.done    := ahead.done || engram._gate_flush(ahead);
        ahead.number  := engram._gate_number(ahead.numeral);
        ahead.numeral := null;
        ahead.month   := null;
    end if;
    if ahead.number is not null then
        if token = '月' then
            ahead.done := ahead.done || ('d:m' || ahead.number);
        elsif 'month' = any (roles) then
            ahead.done := ahead.done || array['d:m' || "values"[array_position(roles, 'month')], 'd:d' || ahead.number];
        elsif token in ('日', '号', '號') and unit is null then
            ahead.done := ahead.done || (case when ahead.number::numeric <= 31 then 'd:d' else 'i:' end || ahead.number);
        elsif token in ('点', '點', '時', '时') and ahead.number ~ '^[0-9]{1,2}$' then
            ahead.clock   := engram._gate_clock(ahead.number, ahead.daypart);
            ahead.daypart := null;
        elsif 'daypart' = any (roles) and ahead.number ~ '^[0-9]{1,2}$' then
            ahead.done := ahead.done || engram._gate_clock(ahead.number, "values"[array_position(roles, 'daypart')]);
        elsif token in ('年', 'año', 'jahr') and ahead.number ~ '^(19|20)[0-9]{2}$' then
            ahead.done := ahead.done || ('d:y' || ahead.number);
        elsif token in ('分', '年', '%') or unit is not null then
            unit := coalesce(unit, case token when '分' then 'min' when '年' then 'year' else '%' end);
            ahead.done := ahead.done || engram._gate_measure(ahead.number, unit);
        else
            ahead.took := false;
        end if;
        if ahead.took then
            ahead.number := null;
            return ahead;
        end if;
    end if;
    ahead.took := true;
    if token ~ '^[0-9]+(\.[0-9]+)?(st|nd|rd|th)?$' or 'number' = any (roles) and token <> '半' then
        ahead.done   := ahead.done || engram._gate_flush(ahead);
        ahead.number := coalesce("values"[array_position(roles, 'number')], engram._gate_number(rtrim(token, 'stndrh')));
        if ahead.month is not null and ahead.number ~ '^[0-9]{1,2}$' then
            ahead.done   := ahead.done || array['d:m' || ahead.month, 'd:d' || ahead.number];
            ahead.number := null;
        elsif ahead.month is not null and ahead.number ~ '^(19|20)[0-9]{2}$' then
            ahead.done   := ahead.done || array['d:m' || ahead.month, 'd:y' || ahead.number];
            ahead.number := null;
        end if;
        ahead.month := null;
        return ahead;
    end if;
    ahead.done   := ahead.done || engram._gate_flush(ahead);
    ahead.number := null;
    ahead.month  := null;
    if 'month' = any (roles) then
        ahead.month := "values"[array_position(roles, 'month')];
        ahead.vague := roles && array['stop', 'hypothetical'];
        return ahead;
    end if;
    if 'daypart' = any (roles) then
        ahead.daypart := "values"[array_position(roles, 'daypart')];
        ahead.said    := coalesce("values"[array_position(roles, 'synonym')], case when ascii(token) > 12292 then token || ahead.daypart else token end);   -- 午前, 午後
        return ahead;
    end if;
    ahead.took := false;
    return ahead;
end
$$;

comment on function engram._gate_quantity(engram.gate_reading, text, text[], text[]) is
'Takes one more token into a number, date or time, and gives out what is complete. A null token ends the text.';
