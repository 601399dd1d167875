create or replace function engram._gate_no_more(folded text) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    wide boolean := octet_length(folded) <> length(folded);   -- no CJK without it
begin
    if wide and strpos(folded, '了') > 0 then
        if strpos(folded, '不') > 0 then
            folded := regexp_replace(folded, '(?<![要差得受忘少免])不(?!再)([\u4e00-\u9fff]{1,4})了(?=[,;、。 !]|$)', '不再\1', 'g');
        end if;
        if strpos(folded, '没') > 0 then
            folded := regexp_replace(folded, '没([\u4e00-\u9fff]{1,3})了(?=[,;、。 !]|$)', '不再有\1', 'g');
        end if;
    end if;
    if wide and strpos(folded, 'もう') > 0 then
        folded := regexp_replace(folded, 'もう(.{1,12}?(?:ません|ない|なくな))', 'もはや\1', 'g');
    end if;
    if strpos(folded, ' mehr') > 0 then
        folded := regexp_replace(folded, '\m(?:nicht|kein(?:e|en|em|er|es)?) ((?:\w+ ){1,3})mehr\M(?! als)', 'nicht mehr \1', 'g');
    end if;
    if strpos(folded, ' plus') > 0 then
        folded := regexp_replace(folded, '\m(ne|n) ((?:\w+ ){1,4}?)plus\M', '\1 \2plus jamais', 'g');
    end if;
    if strpos(folded, 'e on') > 0 or strpos(folded, 's on') > 0 then
        folded := regexp_replace(folded, '\m(is|are|was|were|be) on(?= *(?:[.,;:!)]|$|in |by default|now|again))', '\1 enabled', 'g');
    end if;
    if folded like any (array['% except %', '% but %', '% other than %', '% apart from %']) then
        folded := regexp_replace(folded, '\m(?:nobody|no one|noone|none|nothing)(?: else)? (?:except|but|other than|apart from)(?: for)?\M', 'only', 'g');
    end if;
    if folded like any (array['%, nobody %', '%, no one %']) then
        folded := regexp_replace(folded, '\m(?:apart from|except(?: for)?|other than) ((?:\w+ ){0,4}\w+), (?:nobody|no one)(?: else)?\M', 'only \1', 'g');
    end if;
    if strpos(folded, 'only ') > 0 then
        folded := regexp_replace(folded, '\monly ((?:\w+ ){1,5})(?:is|are) (?:allowed|permitted|authori[sz]ed) to\M', 'only \1may', 'g');
    end if;
    if folded like any (array['%backwards%', '%wrong way%', '%mixed %up%', '%other way %round%', '%反了%', '%逆で%', '%逆だった%', '%reves%', '%umgekehrt%', '%andersherum%', '%inverse%']) then
        folded := regexp_replace(folded, '(?:^|(?<=[.;!。] ?))(?:(?:sorry|no|actually|correction)[,:] *)?(?:i (?:had|got|said|put) (?:it|that|this|them) (?:backwards|mixed up|the wrong way (?:a?round))|it s? *(?:is )?the other way (?:a?round)'
               || '|我?[说记搞弄写]反了|逆で(?:した|す)|逆だった|(?:lo (?:dije|tenia|puse) )?(?:es )?al reves|(?:es ist |ich hatte es )?(?:genau )?(?:umgekehrt|andersherum)|c est l inverse|j avais inverse) *[:;,.!。,、]+ *', '', 'g');
    end if;
    if strpos(folded, ' unless ') > 0 then
        folded := regexp_replace(folded, '\m(?:(?:is|are) not (?:possible|allowed|permitted)|not|never|cannot|nobody|no one)\M([^.;!]{0,60}?),? unless (?:(?:you|they|he|she|it|we|i) (?:(?:are|is|has|have) )?)?', '\1 only ', 'g');
    end if;
    if folded like any (array['%niemand %', '%nadie %', '%personne %']) then
        folded := regexp_replace(folded, '\mniemand(?: anderes)? (?:ausser|außer) ', 'nur ', 'g');
        folded := regexp_replace(folded, '\mnadie (?:salvo|excepto|menos|mas que|aparte de) ', 'solo ', 'g');
        folded := regexp_replace(folded, '\mpersonne (?:sauf|hormis|excepte|a part) ((?:\w+ ){1,4}?)(?:ne|n) ', 'seulement \1', 'g');
    end if;
    if strpos(folded, ' sans ') > 0 then
        folded := regexp_replace(folded, '\m(?:ne|n) ((?:\w+ ){1,3}?)(?:pas|jamais|rien) ([^.;!]{0,50}?)\msans\M', '\1\2', 'g');
    end if;
    if wide and folded like any (array['%得意%', '%好き%']) then
        folded := regexp_replace(folded, '(?:得意|(?<!大)好き)(?:では|じゃ|で)(?:ありません|ない)', '苦手', 'g');
    end if;
    if wide and strpos(folded, '以外') > 0 then
        folded := regexp_replace(folded, '以外[はに]?([^、。]{1,20}?)(?:できない|できません)', 'だけ\1できる', 'g');
    end if;
    if wide and strpos(folded, 'しか') > 0 then
        folded := regexp_replace(folded, 'しか([^、。,]{1,8}?)(?:ません|ない)', 'だけ\1', 'g');
    end if;
    if wide and strpos(folded, '除了') > 0 then
        folded := regexp_replace(folded, '除了([^,。;]{1,10}?)(?:[以之]?外)?[, 、]?(?:谁都不|谁也不|没有人|没人|其他人都?不)(能|可以|许|准)', '只有\1\2', 'g');
    end if;
    return folded;
end
$$;

comment on function engram._gate_no_more(text) is
'No longer, said in two places of a sentence, brought together for the lexicon: 不……了, もう……ない, kein … mehr, ne … plus; and what is on. Nobody except one is only that one.';
