create or replace function engram._gate_spoken_spans(folded text) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    m record;
begin
    for m in select distinct r[1] as said, r[2] as number, r[3] as unit
               from regexp_matches(folded, '(([一二两三四五六七八九十]+|[0-9]+)(?:个半(小时|钟头|月|星期)|(?:時間|年)半))', 'g') r
    loop
        folded := replace(folded, m.said, ' ' || engram._gate_number(m.number) || '.5' || coalesce(m.unit, case when strpos(m.said, '時') > 0 then '時間' else '年' end));
    end loop;
    folded := regexp_replace(folded, '\mthree[ -]quarters of an hour\M|\mdreiviertelstunde\M|\mtres cuartos de hora\M|\mtrois quarts d heure\M|三刻钟', ' 45 min ', 'g');
    folded := regexp_replace(folded, '\m(a )?quarter[ -](of an )?hour\M|\m(eine )?viertelstunde\M|\m(un )?cuarto de hora\M|\m(un )?quart d heure\M|一刻钟', ' 15 min ', 'g');
    folded := regexp_replace(folded, '\m(an|one|1) hour and a half\M|\m(una )?hora y media\M|\m(une )?heure et demie\M', ' 90 min ', 'g');
    folded := regexp_replace(folded, '\mhalf an hour\M|\ma half hour\M|\m(eine )?halben? stunde\M|\m(una )?media hora\M|\m(une )?demi[ -]heure\M|半个?(小时|钟头)|半時間', ' 30 min ', 'g');
    folded := regexp_replace(folded, '\m(anderthalb|eineinhalb|one and a half)\M', ' 1.5 ', 'g');
    folded := regexp_replace(folded, '\mhalf a (day|year|million|dozen)\M', '0.5 \1', 'g');
    folded := regexp_replace(folded, '\mhalf (?:of )?(?=(?:the|our|my|all|its|their|his|her) )|\mla mitad (?=del?\M)|\mdie halfte (?=(?:der|des|aller|unserer|meiner|von)\M)|\mla moitie (?=(?:de|des|du)\M)', '50 % ', 'g');
    folded := regexp_replace(folded, '\ma fortnight\M', '2 weeks', 'g');
    return regexp_replace(folded, '(一|二|两|三|四|五|六|七|八|九|十|[0-9.]+)个?钟头', '\1小时', 'g');
end
$$;

comment on function engram._gate_spoken_spans(text) is 'Spans of time in halves and quarters, written in digits: half an hour, anderthalb Stunden, hora y media, 一个半小时.';
