create or replace function engram._gate_terms(tokens text[], out lang text, out pos integer, out token text, out len integer, out roles text[], out "values" text[])
    returns setof record
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    kana boolean := exists (select from unnest(_gate_terms.tokens) t where t ~ '[\u3041-\u30ff]');
begin
    return query
    with word as materialized (
        select w.n::integer as pos, w.t, w.t ~ '^[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]' as cjk,
               case when w.t ~ '^[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]' then w.t else w.t || ' ' end as glued
          from unnest(_gate_terms.tokens) with ordinality as w (t, n)
    ), gram as materialized (
        select s.pos, s.cjk, g.len, rtrim(g.form) as form
          from (select word.*,
                       lead(glued, 1) over w as g2, lead(glued, 2) over w as g3, lead(glued, 3) over w as g4,
                       lead(glued, 4) over w as g5, lead(glued, 5) over w as g6
                  from word window w as (order by word.pos)) s
         cross join lateral (values (1, s.glued), (2, s.glued || s.g2), (3, s.glued || s.g2 || s.g3),
                                    (4, s.glued || s.g2 || s.g3 || s.g4), (5, s.glued || s.g2 || s.g3 || s.g4 || s.g5),
                                    (6, s.glued || s.g2 || s.g3 || s.g4 || s.g5 || s.g6)) as g (len, form)
         where g.form is not null
    ), hit as materialized (
        select g.pos, g.len, g.cjk, t.lang, t.role, t.value
          from gram g
          join engram.polarity_term t on t.form = g.form and t.enabled
    ), spoken as materialized (
        select distinct on (v.cjk) v.cjk, v.lang
          from (select h.cjk, h.lang, count(distinct h.pos) as votes from hit h where h.lang <> '*' group by 1, 2) v
         where not v.cjk or kana or v.lang <> 'ja'
         order by v.cjk, (v.cjk and kana and v.lang = 'ja') desc, v.votes desc, v.lang <> 'en', v.lang
    ), known as (
        select h.pos, h.len, h.role, h.value
          from hit h left join spoken s on s.cjk = h.cjk
         where h.lang in ('*', s.lang)
        union all
        select w.pos, 1, t.role, t.value
          from word w
          join spoken s on not s.cjk
          join engram.polarity_term t on t.lang = s.lang and t.enabled and t.stem = engram._gate_stem(w.t, s.lang)
         where not w.cjk
           and w.t !~ '[0-9]'
           and t.role in ('synonym', 'antonym', 'single', 'list', 'owner', 'person', 'event', 'schedule')
           and not exists (select from hit h where h.pos = w.pos and h.len = 1 and h.lang in ('*', s.lang))
    ), best as (
        select distinct on (k.pos) k.pos, k.len,
               array_agg(k.role  order by k.role, k.value) as roles,
               array_agg(k.value order by k.role, k.value) as vals
          from known k
         group by k.pos, k.len
         order by k.pos, k.len desc
    )
    select coalesce(s.lang, case when w.cjk then case when kana then 'ja' else 'zh' end else 'en' end), w.pos, w.t, b.len, b.roles, b.vals
      from word w
      left join best b on b.pos = w.pos
      left join spoken s on s.cjk = w.cjk
     order by w.pos;
end
$$;

comment on function engram._gate_terms(text[]) is
'Each token with the longest lexicon phrase that begins at it, in the language whose rows match most; null roles where none does.';
