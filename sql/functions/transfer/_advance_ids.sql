create or replace function engram._advance_ids() returns void
    language plpgsql volatile security definer
    set search_path from current
as $$
begin
    perform setval(pg_get_serial_sequence('engram.memory', 'memory_id'),
                   greatest((select max(m.memory_id) from engram.memory m), nextval(pg_get_serial_sequence('engram.memory', 'memory_id'))));
    perform setval(pg_get_serial_sequence('engram.decision', 'decision_id'),
                   greatest((select max(d.decision_id) from engram.decision d), nextval(pg_get_serial_sequence('engram.decision', 'decision_id'))));
end
$$;

comment on function engram._advance_ids is 'Moves the id sequences past the highest id of the tenant in force, after ids were written by hand. Only writers may call it.';

revoke all on function engram._advance_ids from public;
