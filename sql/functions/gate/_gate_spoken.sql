create or replace function engram._gate_spoken(folded text) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    wide boolean := octet_length(folded) <> length(folded);   -- no CJK without it
begin
    -- LIKE first: a backend keeps only few compiled regular expressions, and most texts need none of these.
    if folded like any (array['%fortnight%', '%iweekly%', '%i-weekly%', '%quart%', '% other %', '% second %', '%tagig%', '% zweite%', '%zweiwoch%', '%zehn tage%', '%14 tage%', '%ljahr%', '%quin%',
                              '%trimest%', '%semaine sur%'])
       or wide and folded like any (array['%隔%周%', '%季度%', '%按季%', '%隔週%', '%四半期%']) then
        folded := engram._gate_spoken_rhythms(folded);
    end if;
    if folded like any (array['%half%', '%quarter%', '%clock%', '% past %', '%fortnight%', '%halb%', '%viertel%', '%uhr%', '%stunde%', '%mitad%', '%halfte%', '%moitie%', '%anderthalb%', '%eineinhalb%',
                              '%de la manana%', '%de la tarde%', '%de la noche%', '%media%', '%cuarto%', '%demi%', '%quart d%', '%半%', '%刻钟%', '%钟头%', '%ten to %', '%twenty to %', '%five to %'])
       or folded like any (array['%:%pm%', '%:%am%', '%:%p.m%', '%:%a.m%', '%:%p m%', '%:%a m%', '%:__ in the %', '%:__ at night%'])
       or folded like any (array['%0h%', '%1h%', '%2h%', '%3h%', '%4h%', '%5h%', '%6h%', '%7h%', '%8h%', '%9h%', '%0 h %', '%1 h %', '%2 h %', '%3 h %', '%4 h %', '%5 h %', '%6 h %',
                                 '%7 h %', '%8 h %', '%9 h %']) then
        folded := engram._gate_spoken_spans(engram._gate_spoken_times(folded));
    end if;
    if folded like any (array['%n hour%', '%e hour%', '%a minute%', '%a second%', '% a full %', '%a single %', '%a whole %', '% a day%', '% a week%', '% a month%', '% a year%', '%one minute%',
                              '%one day%', '%one week%', '%one month%', '%one year%', '%l hour%']) then
        folded := regexp_replace(folded, '\m(in|for|within|after|every|of|about|takes?|took|lasts?|lasted|than|least|most|around|roughly|almost|nearly|has|have|gets?|only|until|to|by) (?:an?|one)(?: full| single| whole)? (hour|minute|second|day|week|month|year)\M', '\1 1 \2', 'g');
        folded := regexp_replace(folded, '\m(?:a full|one full|a single|a whole) (hour|minute|second|day|week|month|year)\M', '1 \1', 'g');
    end if;
    if wide and folded like any (array['%百万%', '%千万%', '%万%', '%亿%', '%億%', '%千%', '%百分之%']) then
        folded := engram._gate_spoken_myriads(folded);
    end if;
    if wide and folded like any (array['%只%一%', '%仅%一%', '%剩%一%']) then
        folded := regexp_replace(folded, '(只|仅|只有|只要|只需|只需要|剩|剩下|还剩)一(?=[个名位台次人])', '\11', 'g');
    end if;
    if wide and strpos(folded, '一') > 0 and folded like any (array['%次%', '%回%', '%遍%', '%杯%', '%个%', '%片%', '%顿%', '%瓶%', '%支%', '%颗%', '%粒%', '%碗%', '%小时%']) then
        folded := regexp_replace(folded, '一(周|星期|天|月|年|个星期|个月)(?=[^,。;、0-9]{0,3}[一二两三四五六七八九十0-9]+(?:[次回遍杯个片顿瓶支颗粒碗]|小时))', '每\1', 'g');
    end if;
    if wide and folded like any (array['%之前%', '%以前%']) then   -- before something, not formerly
        folded := regexp_replace(folded, '(?<=[日月号天周点末年底初一二三四五六七八九十0-9])[之以]前|[之以]前(?=[,、]?(?:都|必须|需要|要|得|先|务必|一定|请))', '前', 'g');
    end if;
    if folded like any (array['%noon%', '%midday%', '%midnight%', '%mediodia%', '%medianoche%', '%minuit%', '% midi%', '%mitternacht%']) then
        folded := regexp_replace(regexp_replace(folded, '\m(?:noon|midday|mediodia|(?<!apres )midi)\M', '12:00', 'g'), '\m(?:midnight|medianoche|minuit|mitternacht)\M', '00:00', 'g');
    end if;
    if wide and folded like any (array['%上小学%', '%上中学%', '%上大学%', '%上初中%', '%上高中%', '%上幼儿园%']) then
        folded := regexp_replace(folded, '在?上(?=小学|中学|大学|初中|高中|幼儿园)', '读', 'g');
    end if;
    if folded like any (array['%second %', '%second-%']) then
        folded := regexp_replace(folded, '\msecond[ -](?=(?:floor|storey|story|grade|year|class|semester|term|row|shelf|shift|half|quarter|place|round|edition|week|month|child|draft|version|team|league|division)\M)', '2nd ', 'g');
    end if;
    if wide and strpos(folded, '块') > 0 then
        folded := engram._gate_spoken_coins(folded);
    end if;
    if wide and strpos(folded, '平') > 0 then
        folded := regexp_replace(folded, '(?:每一?|(?<![0-9一二三四五六七八九十百千万点])[一1])(?:平方米|平米|平方)', '每平米', 'g');
    end if;
    if wide and folded like any (array['%在%办%', '%在%举行%']) then
        folded := regexp_replace(folded, '在([^,。;在月周日号年点里上中内0-9]{2,8})(?:办|举办|举行)(?=[了。,;]|$)', '会场在\1', 'g');
    end if;
    if wide and strpos(folded, '走') > 0 then
        folded := regexp_replace(folded, '走(?=微信|短信|邮[件箱]|电邮|钉钉|飞书|qq|快递|顺丰|支付宝|银行|现金|线上|线下)', '用', 'g');
    end if;
    if wide and strpos(folded, '期間') > 0 then
        folded := regexp_replace(folded, '(期間[はがも]?)([0-9]+)日(?!間|目)', '\1\2日間', 'g');
    end if;
    if wide and strpos(folded, '週') > 0 then
        folded := regexp_replace(folded, '週に?([0-9一二三四五六七])日(?!間|目)', '週\1日間', 'g');
    end if;
    if wide and strpos(folded, 'g') > 0 and strpos(folded, '个') > 0 then
        folded := regexp_replace(folded, '(?<=[0-9]) ?个 ?g(?![a-z0-9])', ' gb', 'g');
    end if;
    if wide and strpos(folded, '型') > 0 then
        folded := regexp_replace(folded, '(?<![a-z0-9])(a|b|o|ab)型(?![肝流インウ車车号番])', '\1 ' || case when folded ~ '[\u3041-\u30ff]' then '血液型' else '血型' end, 'g');
    end if;
    if wide and strpos(folded, '提到') > 0 then
        folded := regexp_replace(folded, '提到(?=[了]?[0-9一二两三四五六七八九十百])', '提高到', 'g');
    end if;
    if strpos(folded, ' of ') > 0 and folded like any (array['%1st of %', '%2nd of %', '%3rd of %', '%0th of %', '%1th of %', '%2th of %', '%3th of %', '%4th of %', '%5th of %', '%6th of %', '%7th of %', '%8th of %', '%9th of %']) then
        folded := regexp_replace(folded, '\m([0-9]{1,2})(?:st|nd|rd|th) of (?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\M)', '\1 ', 'g');
    end if;
    if strpos(folded, ' de ') > 0 and folded like any (array['% de enero%', '% de febrero%', '% de marzo%', '% de abril%', '% de mayo%', '% de juni%', '% de juli%', '% de agosto%', '% de se%iembre%', '% de octubre%',
                                                              '% de noviembre%', '% de diciembre%']) then
        folded := regexp_replace(folded, '\m([0-9]{1,2}) de (?=(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)\M)', '\1 ', 'g');
    end if;
    if folded like any (array['%k dollar%', '%k eur%', '%k usd%', '%k pound%', '%k gbp%', '%k franc%', '%k chf%', '%k yuan%', '%k rmb%', '%$%k%', '%€%k%', '%£%k%', '%k€%']) then
        folded := engram._gate_spoken_thousands(folded);
    end if;
    if wide and strpos(folded, '今年') > 0 then
        folded := regexp_replace(folded, '今年([1-9][0-9]|[一二三四五六七八九]?十[一二三四五六七八九]?)(?=了?(?:[,。;、 ]|$))', '今年\1岁', 'g');
    end if;
    if strpos(folded, 'lieblings') > 0 then
        folded := regexp_replace(folded, '\mlieblings(?=[a-z]{3})', 'lieblings ', 'g');
    end if;
    if strpos(folded, ' may') > 0 then
        folded := regexp_replace(folded, '\m(in|for|until|till|by|since|of|next|last|this|early|late|mid|from|to|before|after|through|around) may(?= *(?:[.,;:!)]|$|(?:to|until|and|or|this|next|instead|already|at|with|when|because)\M))', '\1 mai', 'g');
    end if;
    return folded;
end
$$;

comment on function engram._gate_spoken(text) is
'Quantities said in words, written in digits: half past seven is 07:30, half an hour is 30 min, 一个半小时 is 1.5小时, 120万 is 1200000.
The month of May, which is also another word, is written mai where a word of time precedes it.';
