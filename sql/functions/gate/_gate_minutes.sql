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
    if state.clock is null then
        return state;
    elsif half or token = '分' and minutes ~ '^[0-9]{1,2}$' then
        state.done    := array[left(state.clock, 5) || case when half then '30' else lpad(minutes, 2, '0') end];
        state.clock   := null;
        state.number  := null;
        state.numeral := null;
        state.took    := true;
    elsif minutes is not null or token is null or token !~ '^([0-9]+|[〇零一二三四五六七八九十])$' then
        state.done  := array[state.clock];
        state.clock := null;
        if minutes is not null and token ~ '^[〇零一二三四五六七八九十]$' then   -- the minutes are not read to their end
            state.clock := state.done[1];
            state.done  := null;
        end if;
    end if;
    return state;
end
$$;

comment on function engram._gate_minutes(engram.gate_reading, text) is
'The minutes after a full hour: 六点半, 10時30分. Gives out the hour alone once something else follows.';
