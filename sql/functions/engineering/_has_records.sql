create or replace function engram._has_records(space_id bigint) returns boolean
    language plpgsql stable
    set search_path from current
as $$
begin
    return exists (select from engram.memory m
                    where m.space_id = _has_records.space_id and m.collection in ('engineering/handoff', 'engineering/failure')
                      and m.state = 'active');
end
$$;

comment on function engram._has_records is 'Whether a space has hand-offs or failures: one look into an index that is empty where there are none.';
