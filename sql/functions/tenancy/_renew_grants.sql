create or replace function engram._renew_grants() returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_role record;
begin
    for v_role in
        with relation as (
            -- One that nobody was granted anything on is new.
            select c.oid, c.relname, c.relacl, exists (select from pg_policy p where p.polrelid = c.oid) as guarded
              from pg_class c
             where c.relnamespace = 'engram'::regnamespace and c.relkind in ('r', 'v') and c.relacl is not null
        ), granted as (
            select r.relname, r.guarded, a.grantee, a.privilege_type as privilege
              from relation r
             cross join lateral aclexplode(r.relacl) a
              join pg_class c on c.oid = r.oid and a.grantee <> c.relowner
        ), held as (
            select g.grantee,
                   count(*) filter (where g.privilege = 'SELECT' and not engram._is_closed(g.relname)) as readable,
                   count(*) filter (where g.guarded and g.privilege in ('INSERT', 'UPDATE', 'DELETE')) as changes,
                   bool_or(g.relname = 'embedding_job' and g.privilege = 'INSERT') as works,
                   bool_or(g.relname = 'kind' and g.privilege = 'INSERT') as administers
              from granted g
             group by g.grantee
        ), whole as (
            select count(*) filter (where not engram._is_closed(r.relname)) as readable, 3 * count(*) filter (where r.guarded) as changes from relation r
        )
        select case when h.grantee = 0 then 'public' else r.rolname end as name,
               case when h.changes < w.changes then 'reader' when h.works and h.administers then 'admin' when h.works then 'worker' else 'writer' end as level
          from held h
         cross join whole w
          left join pg_roles r on r.oid = h.grantee
         where h.readable = w.readable and (h.grantee = 0 or r.oid is not null)
         order by 1
    loop
        perform engram.grant_usage(v_role.name, v_role.level);
    end loop;
end
$$;

comment on function engram._renew_grants is
'Gives each role that has all that grant_usage() gave for its level the same on what is new: for installers, so that an upgrade locks nobody out. A role of which something was taken back keeps what it has.';

revoke all on function engram._renew_grants from public;

create or replace function engram._is_closed(relation name) returns boolean
    language sql immutable parallel safe
begin atomic
    select _is_closed.relation in ('lexeme_key', 'tenant', 'embedding_job', 'judgement_job', 'role_binding', 'api_key');
end;

comment on function engram._is_closed is 'Whether a table of this schema is closed to readers and writers.';
