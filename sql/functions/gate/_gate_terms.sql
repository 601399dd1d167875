create or replace function engram._gate_terms(tokens text[], out lang text, out width integer, out token text, out size integer,
    out roles text[], out "values" text[], out content text, out cues text[], out quantity boolean, out literal boolean)
    returns setof record
    language plpgsql stable parallel safe
    set search_path from current
    set plan_cache_mode = force_generic_plan   -- planning for each list of words takes longer than to run it
    set enable_seqscan = off                   -- each word probes the index of heads, also before the lexicon is first analyzed
as $$
declare
    line text    := array_to_string(tokens, ' ');
    kana boolean := octet_length(line) <> length(line) and line ~ '[\u3041-\u30ff]';
begin
    return query
    with word as materialized (
        select w.n::integer as pos, w.t, w.cjk, not w.cjk and w.t ~ '^[a-z][a-z]+$' as plain,
               string_agg(case when w.cjk then w.t else w.t || ' ' end, '') over (order by w.n rows between current row and 7 following) as ahead
          from (select u.n, u.t, ascii(u.t) between 12293 and 40959 or ascii(u.t) between 63744 and 64255 as cjk   -- U+3005..9FFF, F900..FAFF
                  from unnest(_gate_terms.tokens) with ordinality as u (t, n)) w
    ), hit as materialized (
        select w.pos, w.cjk, t.lang, t.role, t.value, t.token, t.cues, length(t.form) as size,
               length(t.form) - length(replace(t.form, ' ', '')) + 1 as span
          from word w
         cross join lateral (select p.lang, p.role, p.value, p.form, p.token, p.cues
                               from engram.polarity_term p
                              where p.head = w.t and p.enabled offset 0) t   -- one probe a word, whatever the planner expects
         where starts_with(w.ahead, t.form)
           and (substr(w.ahead, length(t.form) + 1, 1) = ' ' or ascii(right(t.form, 1)) between 12293 and 12543 or ascii(right(t.form, 1)) between 13312 and 40959
                or ascii(right(t.form, 1)) between 63744 and 64255)
    ), spoken as materialized (
        select distinct on (v.cjk) v.cjk, v.lang
          from (select h.cjk, h.lang, sum(h.span) as votes
                  from (select x.cjk, x.lang, x.pos, max(x.span) as span from hit x where x.lang <> '*' group by 1, 2, 3) h group by 1, 2) v
         where not v.cjk or kana or v.lang <> 'ja'
         order by v.cjk, (v.cjk and kana and v.lang = 'ja') desc, v.votes desc, v.lang <> 'en', v.lang
    ), best as materialized (
        select distinct on (h.pos) h.pos, h.size, array_agg(h.role) as roles, array_agg(h.value) as vals,
               array_agg(h.token) filter (where h.token is not null) as tokens, string_agg(h.cues, ' ') as cues
          from hit h left join spoken s on s.cjk = h.cjk
         where h.lang in ('*', s.lang)
         group by h.pos, h.size
         order by h.pos, h.size desc
    ), known as (
        select w.pos, w.t, w.cjk, w.plain, b.size, b.roles, b.vals, b.cues,
               case when cardinality(b.tokens) > 1
                    then (select t from unnest(b.tokens) t order by array_position('{p:,s:,a:,l:,o:,x:,w:,d:,g:}', left(t, 2)), t limit 1)
                    else b.tokens[1] end as token,
               coalesce(s.lang, case when w.cjk then case when kana then 'ja' else 'zh' end else 'en' end) as lang,
               not w.plain and w.t ~ '^[a-z]$' and w.ahead ~ '^. [\u3400-\u9fff]' as label,
               coalesce(left(w.ahead, b.size), w.t) as phrase
          from word w
          left join best b on b.pos = w.pos
          left join spoken s on s.cjk = w.cjk
    )
    select k.lang, length(k.t) + (not k.cjk)::integer, k.t, coalesce(k.size, length(k.t)), coalesce(k.roles, i.roles), coalesce(k.vals, i.vals),
           coalesce(nullif(coalesce(k.token, i.token), ''),
                    case when k.token = '' or k.t in (',', ';', '、', '&', '%', '…') then null
                         when k.cjk and ascii(k.t) not between 12448 and 12543 then 'c:' || k.phrase
                         when strpos(k.phrase, ' ') > 0 then 'w:' || k.phrase
                         when not k.plain and k.phrase ~ '^[a-z]$' then 'i:' || k.phrase
                         else 'w:' || engram._gate_stem(k.phrase, k.lang) end),
           string_to_array(nullif(k.cues, ''), ' '),
           coalesce(not k.plain and k.t ~ '[0-9〇零一二三四五六七八九十百千万两亿億]' or k.roles && array['number', 'month', 'daypart'], false),
           not k.plain and k.roles is null and k.t ~ '[0-9_/@#.:]' or k.label
      from known k
      left join lateral (select array_agg(t.role) as roles, array_agg(t.value) as vals, min(t.token) as token
                           from engram.polarity_term t
                          where k.roles is null and not k.cjk and (k.plain or k.t !~ '[0-9]')
                            and t.lang = k.lang and t.enabled and t.stem = engram._gate_stem(k.t, k.lang)
                            and t.role in ('synonym', 'antonym', 'single', 'list', 'owner', 'person')) i on true
     order by k.pos;
end
$$;

comment on function engram._gate_terms(text[]) is
'Each token with the longest lexicon phrase that begins at it, in the language whose rows match most; null roles where none does.
width, with the space after it, and size of the phrase count characters, so that a caller can step over a phrase; content is what the phrase adds to the text, quantity is true for
what may be part of a number, date or time, literal for an identifier or one letter that labels a CJK word.';
