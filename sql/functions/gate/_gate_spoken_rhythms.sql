create or replace function engram._gate_spoken_rhythms(folded text) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
begin
    -- Each expression only where its words are: see engram._gate_spoken().
    if folded like any (array['%fortnight%', '%iweekly%', '%i-weekly%', '%every other week%', '%every second week%', '%each other week%']) then
        folded := regexp_replace(folded, '\m(?:fortnightly|every fortnight|once a fortnight|every (?:other|second) week|bi-?weekly)\M', 'every 2 weeks', 'g');
    elsif folded like any (array['%every other %day%', '%every second %day%']) then
        folded := regexp_replace(folded, '\mevery (?:other|second) (?=(?:mon|tues|wednes|thurs|fri|satur|sun)days?\M)', 'every 2 weeks on ', 'g');
    elsif folded like any (array['%quarterly%', '%every quarter%', '%each quarter%', '%once a quarter%']) then
        folded := regexp_replace(folded, '\m(?:(?:every|each|once a) quarter\M(?! of)|quarterly(?= *(?:[.,;:!)]|$|(?:and|in|by|on|to|for|with|from)\M)))', 'every 3 months', 'g');
    elsif folded like any (array['%tagig%', '%zweiwoch%', '%zweite woche%', '%alle vierzehn tage%', '%alle 14 tage%']) then
        folded := regexp_replace(folded, '\m(?:vierzehntagig|14-?tagig|zweiwochentlich|jede zweite woche|alle (?:vierzehn|14) tage)\M', 'alle 2 wochen', 'g');
    elsif folded like any (array['%jeden zweiten %', '%jedem zweiten %']) then
        folded := regexp_replace(folded, '\mjede[nm] zweiten (?=(?:mon|diens|donners|frei|sams|sonn)tag\M|mittwoch\M)', 'alle 2 wochen am ', 'g');
    elsif folded like any (array['%vierteljahr%', '%quartalsweise%', '%jedes quartal%']) then
        folded := regexp_replace(folded, '\m(?:vierteljahrlich|quartalsweise|jedes (?:quartal|vierteljahr))\M', 'alle 3 monate', 'g');
    elsif folded like any (array['%quincenalmente%', '%cada quince dias%', '%cada 15 dias%']) then
        folded := regexp_replace(folded, '\m(?:quincenalmente|cada (?:quince|15) dias)\M', 'cada 2 semanas', 'g');
    elsif folded like any (array['%trimestralmente%', '%cada trimestre%']) then
        folded := regexp_replace(folded, '\m(?:trimestralmente|cada trimestre)\M', 'cada 3 meses', 'g');
    elsif folded like any (array['%tous les quinze jours%', '%tous les 15 jours%', '%une semaine sur deux%']) then
        folded := regexp_replace(folded, '\m(?:tous les (?:quinze|15) jours|une semaine sur deux)\M', 'toutes les 2 semaines', 'g');
    elsif folded like any (array['%trimestriellement%', '%chaque trimestre%']) then
        folded := regexp_replace(folded, '\m(?:trimestriellement|chaque trimestre)\M', 'tous les 3 mois', 'g');
    elsif folded like '%隔%周%' then
        folded := regexp_replace(folded, '每?隔一?周(?=[一二三四五六日天的,。;、 ]|开|召|进|更|发|做|交|来|去|一次|$)', '每2周', 'g');
    elsif folded like any (array['%季度%', '%按季%']) then
        folded := regexp_replace(folded, '每个?季度|按季度?(?=[交缴付结收发])', '每3个月', 'g');
    end if;
    return replace(replace(replace(folded, '隔週', '2週間ごと'), '四半期ごと', '3か月ごと'), '四半期に一度', '3か月に一度');
end
$$;

comment on function engram._gate_spoken_rhythms(text) is 'How often in words, written in digits: fortnightly is every 2 weeks, quarterly every 3 months, 隔週 2週間ごと.';
