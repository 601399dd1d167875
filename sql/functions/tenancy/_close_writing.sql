create or replace function engram._writing() returns setof regprocedure
    language sql stable
begin atomic
    select p.oid::regprocedure
      from pg_proc p
     where p.pronamespace = 'engram'::regnamespace
       and p.proname in ('adopt', 'consolidate', 'create_task', 'erase_user', 'forget', 'import', 'link', 'prune', 'purge', 'remember', 'remember_many', 'revise',
                         'session_handoff', 'session_outcome', 'track_failure', 'track_progress', 'undo', 'unlink', 'update_task')
     order by p.proname;
end;

comment on function engram._writing is 'The functions that change the memory of a user, which are for writers: a reader is refused by their names, and not by that of a table or a function inside.';

create or replace function engram._close_writing() returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_open    oid[] := array(select w.f from engram._writing() as w (f) where has_function_privilege('public', w.f, 'execute'));
    v_one     regprocedure;
    v_grantee text;
begin
    foreach v_one in array v_open loop
        execute format('revoke all on function %s from public', v_one);
        for v_grantee in
            select case when a.grantee = 0 then 'public' else quote_ident(r.rolname) end
              from pg_proc p
             cross join lateral aclexplode(p.proacl) a
              left join pg_roles r on r.oid = a.grantee
             where p.oid = 'engram._open_space'::regproc and a.grantee <> p.proowner and (a.grantee = 0 or r.oid is not null)
             order by 1
        loop
            execute format('grant execute on function %s to %s', v_one, v_grantee);
        end loop;
    end loop;
end
$$;

comment on function engram._close_writing is
'Takes the functions of _writing() from everybody and leaves them to writers: who may open a space. One that was closed before stays as it is. For installers.';

revoke all on function engram._close_writing from public;
