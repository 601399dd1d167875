create or replace function engram.strength_curve(
    kind       text default 'fact',
    importance double precision default 0.5,
    recalls    integer default 0,
    days       double precision[] default '{0,1,3,7,14,30,60,90,180,365}'
) returns table (day double precision, strength double precision)
    language plpgsql stable
    rows 10
    set search_path from current
    set jit = off
as $$
declare
    v_kind    engram.kind := engram._known_kind(strength_curve.kind);
    v_problem text := case
        when (importance between 0 and 1) is not true then format('importance is %s; it must be 0 to 1', coalesce(importance::text, 'null'))
        when (recalls >= 0) is not true then format('recalls is %s; it must be 0 or more', coalesce(recalls::text, 'null'))
        when array_ndims(days) > 1 then 'days holds lists'
        when array_position(days, null) is not null or 'NaN' = any (days) then 'days holds null or NaN'
    end;
begin
    if v_problem is not null then
        raise exception using
            errcode = 'EG002',
            message = v_problem,
            hint    = 'For example: SELECT * FROM engram.strength_curve(''fact'', 0.8, recalls => 3, days => ''{0,7,30}'');';
    end if;

    return query
        select d.day, engram.ebbinghaus_strength(importance, v_kind.lambda, d.day, recalls)
          from unnest(days) with ordinality as d (day, place)
         order by d.place;
end
$$;

comment on function engram.strength_curve is
'The forgetting curve of a kind, to look at or to plot: the strength that a memory of this importance and so many recalls has on each of the days since it was last written or
recalled, in the order given. Raises EG002 for an importance outside 0..1, negative recalls or a day that is none, EG003 for an unknown kind.';
