create or replace function engram._gate_measure(number text, unit text) returns text
    language sql immutable parallel safe
begin atomic
    select 'n:' || case when f.factor is null or number !~ '^[0-9]+(\.[0-9]+)?$' then number || '~' || unit
                        else trim_scale(round(number::numeric * f.factor, 9))::text || '~' || f.base end
      from (select case unit
                       when 'ms' then 0.001 when 'min' then 60 when 'h' then 3600 when 'day' then 86400 when 'week' then 604800
                       when 'year' then 12
                       when 'byte' then 1.0 / 1048576 when 'kb' then 1.0 / 1024 when 'gb' then 1024 when 'tb' then 1048576
                       when 'ug' then 0.000001 when 'mg' then 0.001 when 'kg' then 1000 when 'jin' then 500
                       when 'mm' then 0.001 when 'cm' then 0.01 when 'km' then 1000
                       when 'ml' then 0.001 end::numeric as factor,
                   case when unit in ('ms', 'min', 'h', 'day', 'week') then 's' when unit = 'year' then 'month'
                        when unit in ('byte', 'kb', 'gb', 'tb') then 'mb' when unit in ('ug', 'mg', 'kg', 'jin') then 'g'
                        when unit in ('mm', 'cm', 'km') then 'm' when unit = 'ml' then 'l' end as base) f;
end;

comment on function engram._gate_measure(text, text) is
'A number with its unit as a token, in the smallest of the units that measure the same: 2 min and 120 s are n:120~s, 1.5 year is n:18~month.';
