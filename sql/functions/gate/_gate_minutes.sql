create or replace function engram._gate_minutes(state engram.gate_reading, token text) returns engram.gate_reading
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    half    boolean := state.number is null and state.numeral is null and token = '半';
    minutes text    := coalesce(engram._gate_number(state.numeral), state.number);
begin
    state.done := null;
    state.took := false;
    if state.daypart is not null and minutes is null
       and (token is null or token !~ '^([0-9]+|[〇零一二两三四五六七八九十])$') then
        state.done    := array['w:' || regexp_replace(state.said, '^(in|at) (the )?', '')];
        state.daypart := null;
    end if;
    if state.clock is null then
        return state;
    elsif half or token = '分' and minutes ~ '^[0-9]{1,2}$' then
        state.done    := state.done || array[left(state.clock, 5) || case when half then '30' else lpad(minutes, 2, '0') end];
        state.clock   := null;
        state.number  := null;
        state.numeral := null;
        state.took    := true;
    elsif minutes is not null or token is null or token !~ '^([0-9]+|[〇零一二两三四五六七八九十])$' then
        if minutes is null or token is null or token !~ '^[〇零一二两三四五六七八九十]$' then   -- else the minutes go on
            state.done  := state.done || state.clock;
            state.clock := null;
        end if;
    end if;
    return state;
end
$$;

comment on function engram._gate_minutes(engram.gate_reading, text) is
'What waits for the next token: an hour for its minutes (六点半, 10時30分), a part of the day for its hour (下午六点). Each is
given out alone once something else follows.';
