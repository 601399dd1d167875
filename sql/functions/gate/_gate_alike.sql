create or replace function engram._gate_alike(old text, new text) returns boolean
    language sql immutable parallel safe
begin atomic
    select left(old, 2) = left(new, 2)
       and case left(old, 2)
               when 'n:' then split_part(old, '~', 2) = split_part(new, '~', 2)
               when 'd:' then substr(old, 3, 1) = substr(new, 3, 1)
               else true
           end;
end;

comment on function engram._gate_alike(text, text) is 'Whether two value tokens measure the same: the same unit, the same part of a date, the same kind.';
