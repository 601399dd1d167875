create or replace function engram._retire(space_id bigint, memory_id bigint, superseded_by bigint, valid_until timestamptz) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_before jsonb;
begin
    select jsonb_build_object(m.memory_id, jsonb_build_object(
               'state', m.state, 'valid_until', m.valid_until, 'superseded_by', m.superseded_by))
      into v_before
      from engram.memory m
     where m.space_id = _retire.space_id and m.memory_id = _retire.memory_id
       for no key update;

    update engram.memory m
       set state         = 'retired',
           valid_until   = greatest(_retire.valid_until, m.valid_from),
           superseded_by = _retire.superseded_by,
           updated_at    = now()
     where m.space_id = _retire.space_id and m.memory_id = _retire.memory_id;

    return v_before;
end
$$;

comment on function engram._retire is
'Ends the validity of a memory that another one supersedes; the row stays for history and as_of. Returns what it changed, as it was.';
