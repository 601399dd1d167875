create or replace function engram._checked_session(session_id text) returns void
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    v_problem text := engram._name_problem('session_id', session_id);
begin
    if v_problem is not null then
        raise exception using
            errcode = 'EG002',
            message = v_problem,
            hint    = 'Give the session a short name, always the same in it.';
    end if;
end
$$;

comment on function engram._checked_session is 'Raises EG002 for a name of a session that session_recall could not keep.';
