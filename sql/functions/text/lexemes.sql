create or replace function engram._word_lexemes(content text) returns tsvector
    language sql immutable strict parallel safe
begin atomic
    select to_tsvector(
        'pg_catalog.english',
        regexp_replace(
            regexp_replace(_word_lexemes.content, '([[:lower:][:digit:]])([[:upper:]])|([[:upper:]])([[:upper:]][[:lower:]])', '\1\3 \2\4', 'g'),
            '[^[:alnum:]\s'']+', ' ', 'g'));
end;

comment on function engram._word_lexemes is
'English stems of the words and of the parts of identifiers, without stop words.';

create or replace function engram.lexemes(content text) returns tsvector
    language sql immutable strict parallel safe
begin atomic
    select engram._word_lexemes(engram._latin_text(f.folded))
        || to_tsvector('pg_catalog.simple', engram._cjk_grams(f.folded, true))
        || array_to_tsvector(engram._identifiers(engram._latin_text(f.folded)))
      from (select engram._fold(lexemes.content) as folded) f;
end;

comment on function engram.lexemes is
'What the lexical leg indexes of a text: English stems, CJK bigrams and single Han characters, identifiers whole and in parts.';

create or replace function engram._query_lexemes(query text) returns text[]
    language sql immutable strict parallel safe
begin atomic
    select array(
        select l.lexeme
          from (select engram._fold(left(_query_lexemes.query, 4000)) as folded) f,
               tsvector_to_array(
                   engram._word_lexemes(engram._latin_text(f.folded))
                || to_tsvector('pg_catalog.simple', engram._cjk_grams(f.folded, false))
                || array_to_tsvector(engram._identifiers(engram._latin_text(f.folded)))) as a (lexemes),
               unnest(a.lexemes) as l (lexeme)
         order by length(l.lexeme) desc, l.lexeme
         limit 200);
end;

comment on function engram._query_lexemes is
'The lexemes that a question asks for: as engram.lexemes(), but a Han character alone only where it stands alone. A question
longer than 4,000 characters is read up to there; of more than 200 lexemes the longest count.';
