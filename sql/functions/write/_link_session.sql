create or replace function engram._link_session(space_id bigint, memory_id bigint, session_id text, created_at timestamptz) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_before bigint;
    v_after  bigint;
    v_locked integer;
begin
    -- An append takes no lock on the space, so another session may be erasing a neighbour: both are locked, in id order, or looked for again.
    loop
        select m.memory_id into v_before
          from engram.memory m
         where m.space_id = _link_session.space_id and m.session_id = _link_session.session_id
           and (m.created_at, m.memory_id) < (_link_session.created_at, _link_session.memory_id)
         order by m.created_at desc, m.memory_id desc
         limit 1;

        select m.memory_id into v_after
          from engram.memory m
         where m.space_id = _link_session.space_id and m.session_id = _link_session.session_id
           and (m.created_at, m.memory_id) > (_link_session.created_at, _link_session.memory_id)
         order by m.created_at, m.memory_id
         limit 1;

        perform from engram.memory m
          where m.space_id = _link_session.space_id and m.memory_id in (v_before, v_after)
          order by m.memory_id
            for key share;
        get diagnostics v_locked = row_count;
        exit when v_locked = num_nonnulls(v_before, v_after);
    end loop;

    if v_before is not null and v_after is not null then
        delete from engram.edge e
         where e.space_id = _link_session.space_id and e.src = v_before and e.relation = 'next' and e.dst = v_after;
    end if;

    insert into engram.edge (space_id, src, relation, dst, tenant_id, weight)
    select _link_session.space_id, p.src, 'next', p.dst, (select engram._tenant_id_in_force()), 1
      from (values (v_before, _link_session.memory_id), (_link_session.memory_id, v_after)) as p (src, dst)
     where p.src is not null and p.dst is not null
    on conflict do nothing;
end
$$;

comment on function engram._link_session is
'The edges next that put a memory in its place between the one before and the one after it in the same session, by created_at.';
