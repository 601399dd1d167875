create or replace function engram._gate_weight(tokens text[]) returns double precision
    language sql immutable parallel safe
begin atomic
    select coalesce(sum(case left(t, 2) when 'c:' then 0.5 when 'g:' then 0.1 else 1 end), 0)::double precision
      from unnest(tokens) t;
end;

comment on function engram._gate_weight(text[]) is 'How much content tokens carry: a word or value 1, a CJK character 0.5, a generic word 0.1.';
