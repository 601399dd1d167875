create or replace function engram._gate_tokens(content text) returns text[]
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    folded text := translate(engram._gate_fold(content), '’‘`´', '''''''''');
begin
    if strpos(folded, '''') > 0 then
        folded := replace(replace(replace(folded, 'can''t', 'can not'), 'won''t', 'will not'), 'n''t', ' not');
        folded := regexp_replace(folded, '''(s|m|re|ve|ll|d)\M', '', 'g');
        folded := replace(folded, '''', ' ');
    end if;
    folded := engram._gate_spoken(folded);
    folded := engram._gate_no_more(folded);
    if folded ~ '[0-9]' then
        folded := regexp_replace(folded, '([0-9])[,''](?=[0-9]{3}(?![0-9]))', '\1', 'g');
        folded := regexp_replace(folded,
            '(^|[^a-z0-9._/:-])([0-9]+(?:\.[0-9]+)?)(ms|secs?|s|mins?|hrs?|h|d|[kmgt]i?b|km|cm|mm|m|kg|mg|g|px|am|pm|%)(?![a-z0-9_])',
            '\1\2 \3', 'g');
        if strpos(folded, '$') > 0 then
            folded := regexp_replace(folded, '\$ ?([0-9]+(?:\.[0-9]+)?)', '\1 usd ', 'g');
        end if;
        if strpos(folded, '€') > 0 then
            folded := regexp_replace(folded, '€ ?([0-9]+(?:\.[0-9]+)?)',  '\1 eur ', 'g');
        end if;
        if strpos(folded, '£') > 0 then
            folded := regexp_replace(folded, '£ ?([0-9]+(?:\.[0-9]+)?)',  '\1 gbp ', 'g');
        end if;
        if strpos(folded, '¥') > 0 then
            folded := regexp_replace(folded, '¥ ?([0-9]+(?:\.[0-9]+)?)',  '\1 jpy ', 'g');
        end if;
    end if;
    if strpos(folded, '-') > 0 then
        folded := regexp_replace(folded, '([0-9])-(?=(?:month|year|week|day|hour|minute|second|bit|core|inch|meter|metre|page|mile|liter|litre|euro|dollar)s?\M)', '\1 ', 'g');
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
