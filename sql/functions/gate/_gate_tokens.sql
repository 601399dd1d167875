create or replace function engram._gate_tokens(content text) returns text[]
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    folded text := translate(engram._gate_fold(content), '’‘`´', '''''''''');
begin
    if strpos(folded, '''') > 0 then
        folded := regexp_replace(folded, '\mcan''t\M', 'can not', 'g');
        folded := regexp_replace(folded, '\mwon''t\M', 'will not', 'g');
        folded := regexp_replace(folded, 'n''t\M', ' not', 'g');
        folded := regexp_replace(folded, '''(s|m|re|ve|ll|d)\M', '', 'g');
        folded := replace(folded, '''', ' ');
    end if;
    if folded ~ '\m(half|quarters?|hour|minute|clock|fortnight|[0-9]+ ?h ?[0-9]|[ap] ?m|full|single|halb|viertel|uhr|anderthalb|eineinhalb|las?|media|demi|demie|quart|heure)|stunde|[半刻]|钟头|百分之|[0-9][百千万亿億]|(to|past) ' then
        folded := engram._gate_spoken(folded);
    end if;
    if folded ~ '不.{1,4}了|没.{1,3}了' then
        folded := regexp_replace(folded, '(?<![要差得受忘少免])不(?!再)([\u4e00-\u9fff]{1,4})了(?=[,;、。 !]|$)', '不再\1', 'g');
        folded := regexp_replace(folded, '没([\u4e00-\u9fff]{1,3})了(?=[,;、。 !]|$)', '不再有\1', 'g');
    end if;
    if folded ~ '\mon\M|mehr|plus|もう' then
        folded := regexp_replace(folded, '\m(is|are|was|were|be) on(?= *(?:[.,;:!)]|$|in |by default|now|again))', '\1 enabled', 'g');
        folded := regexp_replace(folded, '\m(?:nicht|kein(?:e|en|em|er|es)?) ((?:\w+ ){1,3})mehr\M(?! als)', 'nicht mehr \1', 'g');
        folded := regexp_replace(folded, '\m(ne|n) ((?:\w+ ){1,4}?)plus\M', '\1 \2plus jamais', 'g');
        folded := regexp_replace(folded, 'もう(.{1,12}?(?:ません|ない|なくな))', 'もはや\1', 'g');
    end if;
    if folded ~ '[0-9]' then
        folded := regexp_replace(folded, '([0-9])[,''](?=[0-9]{3}(?![0-9]))', '\1', 'g');
        folded := regexp_replace(folded,
            '(^|[^a-z0-9._/:-])([0-9]+(?:\.[0-9]+)?)(ms|secs?|s|mins?|hrs?|h|d|[kmgt]i?b|km|cm|mm|m|kg|mg|g|px|am|pm|%)(?![a-z0-9_])',
            '\1\2 \3', 'g');
        folded := regexp_replace(folded, '\$ ?([0-9]+(?:\.[0-9]+)?)', '\1 usd ', 'g');
        folded := regexp_replace(folded, '€ ?([0-9]+(?:\.[0-9]+)?)',  '\1 eur ', 'g');
        folded := regexp_replace(folded, '£ ?([0-9]+(?:\.[0-9]+)?)',  '\1 gbp ', 'g');
        folded := regexp_replace(folded, '¥ ?([0-9]+(?:\.[0-9]+)?)',  '\1 jpy ', 'g');
    end if;
    if strpos(folded, '-') > 0 then
        folded := regexp_replace(folded, '([a-z])-(?=[a-z]{2})', '\1 ', 'g');
    end if;
    return array(
        select m[1]
          from regexp_matches(folded,
               '([/#@]?[a-z0-9_\u00df-\u02af\u0370-\u1fff]+(?:[._/:@#+-]+[a-z0-9_]+)*/?|[\u30a1-\u30fa\u30fc]+|[\u3041-\u309f\u3005\u3400-\u9fff\uf900-\ufaff]|[\uac00-\ud7af]+|[,;、&%…])', 'g') m);
end
$$;

comment on function engram._gate_tokens(text) is
'The words of a text for the write gate: a word, identifier, number or path, a run of katakana or hangul, or one other CJK character.';
