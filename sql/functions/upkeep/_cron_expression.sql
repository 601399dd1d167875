create or replace function engram._cron_expression(every interval) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    v_seconds numeric := extract(epoch from every);
begin
    if every >= interval '1 hour' and extract(epoch from every) % 3600 = 0 and extract(month from every) = 0 and extract(year from every) = 0 then
        return '0 * * * *';
    elsif v_seconds between 1 and 59 and v_seconds % 1 = 0 then
        return format('%s seconds', v_seconds::integer);
    elsif v_seconds between 60 and 1800 and v_seconds % 60 = 0 and 60 % (v_seconds / 60) = 0 then
        return case v_seconds when 60 then '* * * * *' else format('*/%s * * * *', (v_seconds / 60)::integer) end;
    end if;

    raise exception using
        errcode = 'EG002',
        message = format('%s is nothing that a job can be run every', coalesce(every::text, 'null')),
        hint    = 'Give seconds below a minute, minutes that divide an hour, or whole hours.';
end
$$;

comment on function engram._cron_expression is
'The schedule of pg_cron that ticks often enough for an interval. Whole hours tick every hour, and the job itself sees whether it is due: so neither the time zone
of pg_cron nor daylight saving shifts it, and a tick that was missed is made up for within the hour.';

revoke all on function engram._cron_expression from public;
