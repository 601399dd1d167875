create or replace function engram._open_users() returns setof text
    language plpgsql stable
    set search_path from current
as $$
declare
    v_users jsonb := nullif(current_setting('engram.users', true), '')::jsonb;
begin
    perform engram._space_of(coalesce(v_users ->> 0, 'default'));  -- raises without a tenant

    return query
        select s.user_id
          from engram.space s
         where s.tenant_id = (select engram._tenant_id_in_force()) and (v_users is null or v_users ? s.user_id)
         order by s.user_id collate "C";
end
$$;

comment on function engram._open_users is
'The users of the tenant in force who have a space and are open to this session, in the order of their bytes: imports that go through them so never wait for each other in a ring.';
