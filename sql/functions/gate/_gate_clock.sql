create or replace function engram._gate_clock(hour text, daypart text) returns text
    language sql immutable parallel safe
begin atomic
    select 't:' || lpad((case when daypart = 'pm' and hour::numeric < 12 or daypart = 'night' and hour::numeric between 5 and 11 then hour::numeric + 12
                              when daypart in ('am', 'night') and hour::numeric = 12 then 0
                              else hour::numeric end)::text, 2, '0') || ':00';
end;

comment on function engram._gate_clock(text, text) is 'An hour of the day as a time token: 3 and pm is t:15:00, 2 at night t:02:00.';
