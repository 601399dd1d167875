create or replace function engram._gate_cues(roles text[], "values" text[]) returns text[]
    language sql immutable parallel safe
begin atomic
    select array_agg(case when r.role = 'change' and r.value = 'weak' then 'hint' else r.role end)
           || case when 'privative' = any (roles) or "values" && array['change', 'concord-change'] then array['change']
                when 'to' = any ("values") then array['becomes'] else '{}'::text[] end
      from unnest(roles, "values") r (role, value);
end;

comment on function engram._gate_cues(text[], text[]) is
'The cues a phrase gives: its roles, a weak sign of change as hint, one that leads to the new value (switched to) as becomes too, and change too for a phrase that gives something up.';
