create or replace function engram._gate_terms(tokens text[], out lang text, out start integer, out token text, out phrase text, out roles text[], out "values" text[], out letter boolean)
    returns setof record
    language plpgsql stable parallel safe
    set search_path from current
    set enable_seqscan = off   -- each word probes the index of heads, also before the lexicon is first analyzed
as $$
declare
    kana boolean := exists (select from unnest(_gate_terms.tokens) t where t ~ '[\u3041-\u30ff]');
begin
    return query
    with word as materialized (
        select w.n::integer as pos, w.t, w.cjk,
               (sum(length(w.glued)) over (order by w.n) - length(w.glued))::integer as start,
               string_agg(w.glued, '') over (order by w.n rows between current row and 7 following) as ahead
          from (select u.n, u.t, u.t ~ '^[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]' as cjk,
                       case when u.t ~ '^[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]' then u.t else u.t || ' ' end as glued
                  from unnest(_gate_terms.tokens) with ordinality as u (t, n)) w
    ), hit as materialized (
        select w.pos, w.cjk, t.lang, t.role, t.value, length(t.form) as size
          from word w
         cross join lateral (select p.lang, p.role, p.value, p.form
                               from engram.polarity_term p
                              where p.head = w.t and p.enabled offset 0) t   -- one probe a word, whatever the planner expects
         where starts_with(w.ahead, t.form)
           and (substr(w.ahead, length(t.form) + 1, 1) = ' ' or right(t.form, 1) ~ '[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]')
    ), spoken as materialized (
        select distinct on (v.cjk) v.cjk, v.lang
          from (select h.cjk, h.lang, count(distinct h.pos) as votes from hit h where h.lang <> '*' group by 1, 2) v
         where not v.cjk or kana or v.lang <> 'ja'
         order by v.cjk, (v.cjk and kana and v.lang = 'ja') desc, v.votes desc, v.lang <> 'en', v.lang
    ), known as (
        select h.pos, h.size, h.role, h.value, true as exact
          from hit h left join spoken s on s.cjk = h.cjk
         where h.lang in ('*', s.lang)
        union all
        select w.pos, length(w.t), t.role, t.value, false
          from word w
          join spoken s on not s.cjk
          join engram.polarity_term t on t.lang = s.lang and t.enabled and t.stem = engram._gate_stem(w.t, s.lang)
         where not w.cjk
           and w.t !~ '[0-9]'
           and t.role in ('synonym', 'antonym', 'single', 'list', 'owner', 'person')
    ), best as (
        select distinct on (k.pos) k.pos, k.size,
               array_agg(k.role  order by k.role, k.value) as roles,
               array_agg(k.value order by k.role, k.value) as vals
          from known k
         group by k.pos, k.exact, k.size
         order by k.pos, k.exact desc, k.size desc
    )
    select coalesce(s.lang, case when w.cjk then case when kana then 'ja' else 'zh' end else 'en' end), w.start, w.t, left(w.ahead, coalesce(b.size, length(w.t))), b.roles, b.vals,
           w.t ~ '^[a-z]$' and w.ahead ~ '^. [\u3400-\u9fff]'
      from word w
      left join best b on b.pos = w.pos
      left join spoken s on s.cjk = w.cjk
     order by w.pos;
end
$$;

comment on function engram._gate_terms(text[]) is
'Each token with the longest lexicon phrase that begins at it, in the language whose rows match most; null roles where none does.
start counts characters, so that a caller can step over a phrase; letter is true for one letter that labels a CJK word.';
