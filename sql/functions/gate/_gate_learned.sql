create or replace function engram._gate_learned() returns trigger
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    update engram.setting s set value = coalesce(s.value, s.default_value)::integer + 1 where s.name = 'gate.lexicon';
    return null;
end
$$;

comment on function engram._gate_learned() is 'After a change of the lexicon: what was read out of memories before is read anew when it is next needed.';

revoke all on function engram._gate_learned from public;

create or replace trigger learned
    after insert or update or delete or truncate on engram.polarity_term
    for each statement execute function engram._gate_learned();
