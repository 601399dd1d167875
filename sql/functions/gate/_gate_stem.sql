create or replace function engram._gate_stem(word text, lang text) returns text
    language sql immutable parallel safe
begin atomic
    select (case lang
                when 'en' then ts_lexize('english_stem', word)
                when 'de' then ts_lexize('german_stem', word)
                when 'fr' then ts_lexize('french_stem', word)
                when 'es' then ts_lexize('spanish_stem', word)
                else array[word]
            end)[1];
end;

comment on function engram._gate_stem(text, text) is
'Snowball stem of a folded word, null for a stop word; the word itself where there is no stemmer. Not STRICT, so that it is inlined.';
