create or replace function engram._known_kind(kind text) returns engram.kind
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    v_kind engram.kind;
begin
    select * into v_kind from engram.kind k where k.kind = _known_kind.kind;

    if not found then
        raise exception using
            errcode = 'EG003',
            message = format('kind %L does not exist', _known_kind.kind),
            hint    = format('Use one of: %s; or insert a row into engram.kind.',
                             (select string_agg(k.kind, ', ' order by k.kind) from engram.kind k));
    end if;

    return v_kind;
end
$$;

comment on function engram._known_kind is 'The row of a kind. Raises EG003 for a name that does not exist.';
