create or replace function engram.expire(batch integer default 5000) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_expired bigint;
begin
    with due as (
        select m.space_id, m.memory_id
          from engram.memory m
         where m.expires_at <= now() and m.state = 'active' and not m.pinned and m.tenant_id = (select engram._tenant_id_in_force())
         order by m.space_id, m.memory_id
         limit case when batch < 0 then 0 else batch end
           for no key update skip locked
    ),
    gone as (
        update engram.memory m
           set state = 'archived', updated_at = now()
          from due d
         where m.space_id = d.space_id and m.memory_id = d.memory_id
        returning m.space_id, m.memory_id, m.expires_at
    )
    select count(engram._record(g.space_id, 'expire', g.memory_id,
                                evidence => jsonb_build_object('expires_at', g.expires_at),
                                before => jsonb_build_object(g.memory_id, '{"state": "active"}'::jsonb)))
      into v_expired
      from gone g;

    return v_expired;
end
$$;

comment on function engram.expire is
'Archives up to batch memories whose time to live has ended, with a decision each, and returns how many. Pinned ones stay.';

revoke all on function engram.expire from public;
