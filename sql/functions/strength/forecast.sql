create or replace function engram.forecast(memory_id bigint, user_id text default 'default') returns timestamptz
    language plpgsql stable
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_memory  engram.memory := engram.get(forecast.memory_id, forecast.user_id);
    v_line    double precision := engram._setting_number('prune.below');
    v_lambda  double precision := (select k.lambda from engram.kind k where k.kind = v_memory.kind);
    v_stat    engram.memory_stat;
    v_seconds double precision;
begin
    if v_memory.pinned or v_memory.state <> 'active' or v_line = 0 then
        return null;
    end if;

    select * into v_stat from engram.memory_stat s where s.space_id = v_memory.space_id and s.memory_id = v_memory.memory_id;
    v_seconds := 86400 * engram._days_above(v_memory.importance, v_lambda, coalesce(v_stat.recalls, 0), v_line);
    -- What outlives the calendar of most clients is as good as never.
    return case when v_seconds < 2e11 then greatest(v_memory.reinforced_at, v_stat.last_recalled_at) + make_interval(secs => v_seconds) end;
end
$$;

comment on function engram.forecast is
'When the strength of a memory falls below the setting prune.below, if nobody recalls or repeats it before; a time in the past if it has already. From then on prune() may archive it, unless
a strong neighbour protects it. Null for what never falls: pinned, not active, or slower than some thousand years. Raises EG004 when this user has no such memory.';

create or replace function engram._days_above(
    importance double precision,
    lambda     double precision,
    recalls    integer,
    line       double precision
) returns double precision
    language sql immutable parallel safe
begin atomic
    select case when _days_above.importance * (1 + 0.2::double precision * _days_above.recalls) <= _days_above.line then 0
                else least((ln(_days_above.importance) - ln(_days_above.line) + ln(1 + 0.2::double precision * _days_above.recalls))
                           / greatest(_days_above.lambda * (1 - 0.8::double precision * _days_above.importance), 1e-100::double precision), 1e100::double precision) end;
end;

comment on function engram._days_above is
'Days until ebbinghaus_strength() falls to a line above 0: the inverse of the curve; 0 if it begins below.';
