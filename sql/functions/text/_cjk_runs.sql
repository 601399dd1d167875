create or replace function engram._cjk_class() returns text
    language sql immutable parallel safe
begin atomic
    select '\u3005-\u3007\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f';
end;

comment on function engram._cjk_class is
'Inside of a regular-expression bracket: the characters written without spaces between words (Han, kana, Hangul).';

create or replace function engram._cjk_grams(content text, singles boolean) returns text
    language plpgsql immutable strict parallel safe
    set search_path from current
as $$
declare
    v_grams text;
begin
    if octet_length(content) = length(content) then
        return '';
    end if;

    select string_agg(
               case when c.next is not null then c.letter || c.next || ' ' else '' end
               || case when singles and c.letter ~ '[\u3005-\u3007\u3400-\u9fff]' or c.letters = 1 then c.letter else '' end,
               ' ')
      into v_grams
      from (
          select r.run, l.letter,
                 lead(l.letter) over run as next,
                 count(*) over (partition by r.run) as letters
            from regexp_matches(content, format('[%s]+', engram._cjk_class()), 'g') with ordinality as r (found, run),
                 string_to_table(r.found[1], null) with ordinality as l (letter, place)
          window run as (partition by r.run order by l.place)
      ) c;

    return coalesce(v_grams, '');
end
$$;

comment on function engram._cjk_grams is
'The runs of CJK text as space-separated bigrams. A run of one character gives that character; with singles, every Han
character also stands alone, so that a question of one character can meet it.';
