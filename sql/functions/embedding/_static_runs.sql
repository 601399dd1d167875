create or replace function engram._static_runs(plain text)
    returns text[]
    language sql immutable strict parallel safe
begin atomic
    select array(
        select found.run[1]
          from regexp_matches(
                   plain,
                   case
                       when octet_length(plain) = length(plain) then '([A-Za-z]+|[0-9]+)'
                       else '([\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff'
                            '\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+'
                            '|[A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0370-\u037d\u037f-\u1fff'
                            '\u200c\u200d\u2c00-\u2dff\ua000-\uabff\ud7b0-\ud7ff\ufb00-\ufdff\ufe70-\ufefc'
                            '\U00010000-\U0001efff]+|[0-9]+|[\u2100-\u2bff\U0001f000-\U0001fbff])'
                   end,
                   'g') as found (run));
end;

comment on function engram._static_runs(text) is
'The runs of a text that carry meaning, in order: unspaced East Asian text, words, digits, single symbols.
Punctuation and white space only separate them.';
