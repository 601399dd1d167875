create or replace function engram._gate_hidden_slot(olds text[], news text[]) returns boolean
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    named boolean;
begin
    if not exists (select from unnest(olds || news) t where t ~ '^g:[\u3400-\u9fff]$') then
        return false;
    end if;
    named := exists (select from unnest(olds || news) t where left(t, 2) <> 'g:' and not (t = any (olds) and t = any (news)));
    olds := array(select regexp_replace(t, '^g:(?=[\u3400-\u9fff]$)', 'c:') from unnest(olds) with ordinality u (t, n) order by n);
    news := array(select regexp_replace(t, '^g:(?=[\u3400-\u9fff]$)', 'c:') from unnest(news) with ordinality u (t, n) order by n);
    return (select f.one_slot and cardinality(d.olds) > 0 and cardinality(d.news) > 0
                   and (named or array_to_string(d.olds, ' ') ~ '(^| )[^g]:' and array_to_string(d.news, ' ') ~ '(^| )[^g]:')   -- not 一定 and 都
              from (select array(select unnest(_gate_hidden_slot.olds) except select unnest(_gate_hidden_slot.news)) as olds,
                           array(select unnest(_gate_hidden_slot.news) except select unnest(_gate_hidden_slot.olds)) as news) d
             cross join lateral engram._gate_frame(_gate_hidden_slot.olds, _gate_hidden_slot.news, d.olds, d.news, null) f);
end
$$;

comment on function engram._gate_hidden_slot(text[], text[]) is
'Whether one frame has a run exchanged where one side looks empty only because its character is generic: 田中 and 田村.';
