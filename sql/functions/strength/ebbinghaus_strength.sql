create or replace function engram.ebbinghaus_strength(
    importance double precision,
    lambda     double precision,
    days       double precision,
    recalls    integer default 0
) returns double precision
    language sql immutable parallel safe
begin atomic
    -- The bounds change no strength above 1e-100 and keep the arithmetic from overflow and underflow, which are errors.
    select case when ebbinghaus_strength.importance < 1e-100::double precision then 0 else least(ebbinghaus_strength.importance, 1) end
         * exp(-least(300, least(greatest(ebbinghaus_strength.lambda, 1e-100::double precision), 1e100::double precision)
                           * (1 - 0.8::double precision * least(greatest(ebbinghaus_strength.importance, 0), 1))
                           * least(greatest(ebbinghaus_strength.days, 1e-100::double precision), 1e100::double precision)))
         * (1 + 0.2::double precision * greatest(ebbinghaus_strength.recalls, 0));
end;

comment on function engram.ebbinghaus_strength is
'Strength of a memory on the Ebbinghaus curve of its kind: importance · e^(−λ(1 − 0.8·importance)·days) · (1 + 0.2·recalls).
importance 0..1; lambda a day, > 0; days since the last recall or write; recalls >= 0. Falls with time, rises with importance and
recalls; never negative; may exceed 1 for what is often recalled. A time in the future counts as now, and what is outside of its bounds as the nearest bound; NaN is above all numbers. Source: mcp-engram, "forgetting curve".';
