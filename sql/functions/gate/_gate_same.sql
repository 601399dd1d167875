create or replace function engram._gate_same(old text, new text) returns boolean
    language sql immutable parallel safe
begin atomic
    select case left(old, 2) || left(new, 2)
               when 'w:w:' then least(length(old), length(new)) >= 7 and (starts_with(old, new) or starts_with(new, old))
               when 'n:b:' then split_part(old, '~', 1) = 'n:' || substr(new, 3)
               when 'b:n:' then split_part(new, '~', 1) = 'n:' || substr(old, 3)
               else false
           end;
end;

comment on function engram._gate_same(text, text) is
'Whether two different tokens say the same: a word of five letters or more and its longer form, or a number with its unit left out. Not STRICT, so that it is inlined.';
