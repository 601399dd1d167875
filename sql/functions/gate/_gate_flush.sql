create or replace function engram._gate_flush(state engram.gate_reading) returns text[]
    language sql immutable parallel safe
begin atomic
    select case when state.number ~ '^(19|20)[0-9]{2}$' then array['d:y' || state.number]
                when state.number is not null then array['b:' || state.number]
                when state.month is not null and not coalesce(state.vague, false) then array['d:m' || state.month]
                else '{}'::text[]
           end;
end;

comment on function engram._gate_flush(engram.gate_reading) is 'A number or month that nothing followed: a bare number (b:), a year or a month (d:).';
