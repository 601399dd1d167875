create or replace function engram._entry_failed(place bigint, code text, message text, hint text, undone text, advice text) returns void
    language plpgsql stable
    set search_path from current
as $$
begin
    raise exception using
        errcode = case when left(code, 2) in ('22', '23', '54') then 'EG002' else code end,
        message = format('entry %s: %s', place, message),
        detail  = format('Nothing of this call was %s.', undone),
        hint    = coalesce(nullif(hint, ''), advice);
end
$$;

comment on function engram._entry_failed is
'Raises the error of one entry of a JSON array again, with its place, counted from 1: EG002 where PostgreSQL itself refused a value. advice is the hint of an error that has none.';
