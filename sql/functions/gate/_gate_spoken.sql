create or replace function engram._gate_spoken(folded text) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    hours constant text := '(?:[0-9]{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';
    names constant text[] := array['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve',
                                   'eins', 'zwei', 'drei', 'vier', 'funf', 'sechs', 'sieben', 'acht', 'neun', 'zehn', 'elf', 'zwolf',
                                   'una', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve', 'diez', 'once', 'doce'];
    m     record;
    hour  integer;
    past  integer;
begin
    -- Times of the day.
    for m in select distinct r[1] as said, r[2] as hour, r[3] as minute, r[4] as half
               from regexp_matches(folded, '(\m([0-9]{1,2}):([0-9]{2}) ?([ap])\.? ?m\M\.?)', 'g') r
    loop
        folded := replace(folded, m.said, ((m.hour::integer % 12) + case m.half when 'p' then 12 else 0 end)::text || ':' || m.minute);
    end loop;
    for m in select distinct r[1] as said, r[2] as part, r[3] as side, r[4] as hour
               from regexp_matches(folded, '(\m(half|(?:a )?quarter|twenty|twenty five|ten|five) (past|to) (' || hours || ')\M)', 'g') r
             union
             select r[1], r[2], case when r[2] = 'halb' then 'to' when r[3] in ('nach') then 'past' else 'to' end, r[4]
               from regexp_matches(folded, '(\m(halb|viertel|zehn|zwanzig) ?(nach|vor)? ([0-9]{1,2}|eins|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf)\M)', 'g') r
              where r[2] = 'halb' or r[3] is not null
    loop
        hour := coalesce((array_position(names, m.hour) - 1) % 12 + 1, case when m.hour ~ '^[0-9]+$' then m.hour::integer end);
        past := case m.part when 'half' then 30 when 'halb' then 30 when 'twenty' then 20 when 'zwanzig' then 20 when 'ten' then 10 when 'zehn' then 10
                            when 'five' then 5 when 'twenty five' then 25 else 15 end;
        continue when hour is null or hour not between 1 and 24;
        folded := replace(folded, m.said, case when m.side = 'past' then lpad(hour::text, 2, '0') || ':' || lpad(past::text, 2, '0')
                                               else lpad(((hour + 23) % 24)::text, 2, '0') || ':' || lpad((60 - past)::text, 2, '0') end);
    end loop;
    for m in select distinct r[1] as said, r[2] as hour, r[3] as half, r[4] as daypart
               from regexp_matches(folded, '(\m(' || hours || ') (?:o clock|oclock)\M()())', 'g') r
             union
             select r[1], r[2], r[3], r[4]
               from regexp_matches(folded, '(\mlas? ([0-9]{1,2}|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)( y media| y cuarto)? de la (manana|tarde|noche)\M)', 'g') r
             union
             select r[1], r[2], case when r[3] <> '' then ':' || r[3] end, ''
               from regexp_matches(folded, '(\m([0-9]{1,2}|eins?|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf) uhr(?: ([0-9]{2}))?\M)', 'g') r
             union
             select r[1], r[2], ':' || r[3], ''
               from regexp_matches(folded, '(\m([0-9]{1,2}) ?h ?([0-9]{2})\M)', 'g') r
    loop
        hour := coalesce((array_position(names, m.hour) - 1) % 12 + 1, case when m.hour ~ '^[0-9]+$' then m.hour::integer end);
        continue when hour is null or hour > 24;
        hour := hour + case when m.daypart in ('tarde', 'noche') and hour < 12 then 12 else 0 end;
        folded := replace(folded, m.said, lpad(hour::text, 2, '0') || case when m.half = ' y media' then ':30' when m.half = ' y cuarto' then ':15'
                                                                             when m.half ~ '^:' then m.half else ':00' end);
    end loop;

    -- Spans of time.
    for m in select distinct r[1] as said, r[2] as number, r[3] as unit
               from regexp_matches(folded, '(([一二两三四五六七八九十]+|[0-9]+)(?:个半(小时|月|星期)|(時間|年)半))', 'g') r
    loop
        folded := replace(folded, m.said, ' ' || engram._gate_number(m.number) || '.5' || coalesce(m.unit, case when strpos(m.said, '時') > 0 then '時間' else '年' end));
    end loop;
    folded := regexp_replace(folded, '\mthree[ -]quarters of an hour\M|\mdreiviertelstunde\M|\mtres cuartos de hora\M|\mtrois quarts d heure\M|三刻钟', ' 45 min ', 'g');
    folded := regexp_replace(folded, '\m(a )?quarter[ -](of an )?hour\M|\m(eine )?viertelstunde\M|\m(un )?cuarto de hora\M|\m(un )?quart d heure\M|一刻钟', ' 15 min ', 'g');
    folded := regexp_replace(folded, '\m(an|one|1) hour and a half\M|\m(una )?hora y media\M|\m(une )?heure et demie\M', ' 90 min ', 'g');
    folded := regexp_replace(folded, '\mhalf an hour\M|\ma half hour\M|\m(eine )?halben? stunde\M|\m(una )?media hora\M|\m(une )?demi[ -]heure\M|半个?(小时|钟头)|半時間', ' 30 min ', 'g');
    folded := regexp_replace(folded, '\m(anderthalb|eineinhalb|one and a half)\M', ' 1.5 ', 'g');
    folded := regexp_replace(folded, '\mhalf a (day|year|million|dozen)\M', '0.5 \1', 'g');
    folded := regexp_replace(folded, '\m(in|for|within|after|every|of|about|takes?|took|lasts?|lasted|than|least|most|around|roughly|almost|nearly|full|single|has|have|gets?|only|until|to|by) (?:an?|one)( full| single| whole)? (hour|minute|second|day|week|month|year)\M', '\1 1 \3', 'g');
    folded := regexp_replace(folded, '\ma full (hour|minute|second|day|week|month|year)\M', '1 \1', 'g');
    folded := regexp_replace(folded, '\ma fortnight\M', '2 weeks', 'g');
    folded := regexp_replace(folded, '(一|二|两|三|四|五|六|七|八|九|十|[0-9]+)个?钟头', '\1小时', 'g');

    -- Myriads and shares.
    for m in select distinct r[1] as said, r[2] as number, r[3] as scale
               from regexp_matches(folded, '(([0-9]+(?:\.[0-9]+)?)(百万|千万|万|亿|億|千))', 'g') r
    loop
        folded := replace(folded, m.said,
            trim_scale(m.number::numeric * case m.scale when '千' then 1000 when '万' then 10000 when '百万' then 1000000 when '千万' then 10000000 else 100000000 end)::text);
    end loop;
    return regexp_replace(folded, '百分之([0-9.]+|[一二三四五六七八九十百]+)', '\1%', 'g');
end
$$;

comment on function engram._gate_spoken(text) is
'Quantities said in words, written in digits: half past seven is 07:30, half an hour is 30 min, 一个半小时 is 1.5小时, 120万 is 1200000.';
