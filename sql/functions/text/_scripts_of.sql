create or replace function engram._scripts_of(content text) returns text
    language sql immutable strict parallel safe
begin atomic
    select string_agg(s.class, '|')
      from (values ('[A-Za-z\u00c0-\u024f]{2}'), ('[\u0370-\u03ff]{2}'), ('[\u0400-\u052f]{2}'), ('[\u0590-\u05ff]{2}'), ('[\u0600-\u06ff]{2}'),
                   ('[\u0900-\u0dff]{2}'), ('[\u0e00-\u0fff]{2}'), ('[' || engram._cjk_class() || ']')) as s (class)
     where left(_scripts_of.content, 4000) ~ s.class;
end;

comment on function engram._scripts_of is
'A regular expression for a word in any of the scripts that a text is written in: Latin, Greek, Cyrillic, Hebrew, Arabic, those of India, of South-East Asia, and
those without spaces. Null for a text without a word.';
