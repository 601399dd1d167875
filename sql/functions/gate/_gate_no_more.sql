create or replace function engram._gate_no_more(folded text) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
begin
    if strpos(folded, '了') > 0 then
        if strpos(folded, '不') > 0 then
            folded := regexp_replace(folded, '(?<![要差得受忘少免])不(?!再)([\u4e00-\u9fff]{1,4})了(?=[,;、。 !]|$)', '不再\1', 'g');
        end if;
        if strpos(folded, '没') > 0 then
            folded := regexp_replace(folded, '没([\u4e00-\u9fff]{1,3})了(?=[,;、。 !]|$)', '不再有\1', 'g');
        end if;
    end if;
    if strpos(folded, 'もう') > 0 then
        folded := regexp_replace(folded, 'もう(.{1,12}?(?:ません|ない|なくな))', 'もはや\1', 'g');
    end if;
    if strpos(folded, ' mehr') > 0 then
        folded := regexp_replace(folded, '\m(?:nicht|kein(?:e|en|em|er|es)?) ((?:\w+ ){1,3})mehr\M(?! als)', 'nicht mehr \1', 'g');
    end if;
    if strpos(folded, ' plus') > 0 then
        folded := regexp_replace(folded, '\m(ne|n) ((?:\w+ ){1,4}?)plus\M', '\1 \2plus jamais', 'g');
    end if;
    if folded like any (array['%is on%', '%are on%', '%was on%', '%were on%', '%be on%']) then
        folded := regexp_replace(folded, '\m(is|are|was|were|be) on(?= *(?:[.,;:!)]|$|in |by default|now|again))', '\1 enabled', 'g');
    end if;
    return folded;
end
$$;

comment on function engram._gate_no_more(text) is
'No longer, said in two places of a sentence, brought together for the lexicon: 不……了, もう……ない, kein … mehr, ne … plus; and what is on.';
