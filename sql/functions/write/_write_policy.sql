create or replace function engram._write_policy(kind text, policy text default null) returns text
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    v_policy text := policy;
begin
    if v_policy is null then
        select w.policy into v_policy from engram.write_policy w where w.kind in (_write_policy.kind, '*') order by w.kind = '*' limit 1;
        return coalesce(v_policy, 'resolve');
    end if;

    if v_policy not in ('resolve', 'reject', 'merge', 'append') then
        raise exception using
            errcode = 'EG002',
            message = format('write policy %L does not exist', policy),
            hint    = 'Use resolve, reject, merge or append; or leave it out for what engram.write_policy has for the kind.';
    end if;
    return v_policy;
end
$$;

comment on function engram._write_policy is
'The policy by which a memory of a kind is written: the one given, else that of the kind, else that of *. Raises EG002 for one that does not exist.';
