create or replace procedure engram._replace(names text[], definition text)
    language plpgsql
    set search_path from current
as $$
declare
    v_known  oid[]  := array(select p.oid from pg_proc p where p.pronamespace = 'engram'::regnamespace and p.proname = any (_replace.names));
    v_before text[] := array(select p.oid || ' ' || p.ctid from pg_proc p where p.oid = any (v_known));
    v_closed record;
begin
    begin
        execute _replace.definition;
    exception when ambiguous_function or invalid_function_definition then
        call engram._set_aside(_replace.names, v_before);
        execute _replace.definition;
    end;
    -- What the definition did not touch has a signature of before, and would stay beside the new one.
    call engram._set_aside(_replace.names, v_before);

    -- Where default privileges leave new functions to their owner, the definition alone says which are.
    for v_closed in
        select p.oid::regprocedure as signature
          from pg_proc p
         where p.pronamespace = 'engram'::regnamespace
           and p.proname = any (_replace.names)
           and p.oid <> all (v_known)
           and not has_function_privilege('public', p.oid, 'execute')
           and _replace.definition !~ format('revoke all on (function|procedure) engram\.%s from public;', p.proname)
    loop
        execute format('grant execute on routine %s to public', v_closed.signature);
    end loop;
end
$$;

comment on procedure engram._replace is
'Runs the definition of the functions `names` and sets aside those of an older version, whatever their signatures were. What it does not close is open to everybody. For installers.';

revoke all on procedure engram._replace from public;

create or replace procedure engram._set_aside(names text[], versions text[])
    language plpgsql
    set search_path from current
as $$
declare
    v_older record;
begin
    for v_older in
        select p.oid, p.proname, p.oid::regprocedure as signature
          from pg_proc p
         where p.pronamespace = 'engram'::regnamespace
           and p.proname = any (_set_aside.names)
           and p.oid || ' ' || p.ctid = any (_set_aside.versions)
    loop
        execute format('alter routine %s rename to %I', v_older.signature, left('_older_' || v_older.oid || '_' || v_older.proname, 63));
    end loop;
end
$$;

comment on procedure engram._set_aside is
'Renames the functions `names` whose rows of pg_proc are still `versions` (oid and ctid), so that _drop_older() drops them. For installers.';

revoke all on procedure engram._set_aside from public;

create or replace procedure engram._drop_older(names text[])
    language plpgsql
    set search_path from current
as $$
declare
    v_older  text;
    v_detail text;
begin
    select string_agg(p.oid::regprocedure::text, ', ') into v_older
      from pg_proc p
     where p.pronamespace = 'engram'::regnamespace
       and p.proname like '\_%'
       and p.proname !~ '^_model_\d+_(nearest|scanned|cosines|store)$'
       and p.proname <> all (_drop_older.names);

    if v_older is not null then
        execute 'drop routine ' || v_older;
    end if;
exception when dependent_objects_still_exist then
    get stacked diagnostics v_detail = pg_exception_detail;
    raise exception using
        errcode = 'EG008',
        message = 'views or functions of yours use functions of engram that this release replaces',
        detail  = v_detail,
        hint    = 'Drop those that the detail names, upgrade, and make them again.';
end
$$;

comment on procedure engram._drop_older is
'Drops the functions that were set aside, and the internal ones that are none of `names` nor of a model. For installers.';

revoke all on procedure engram._drop_older from public;

create or replace procedure engram._hand_over()
    language plpgsql
    set search_path from current
as $$
declare
    v_owner oid := (select n.nspowner from pg_namespace n where n.nspname = 'engram');
    v_made  record;
begin
    for v_made in
        select 'routine' as kind, p.oid::regprocedure::text as name
          from pg_proc p
         where p.pronamespace = 'engram'::regnamespace and p.proowner <> v_owner
         union all
        select case c.relkind when 'c' then 'type' when 'v' then 'view' else 'table' end, c.oid::regclass::text
          from pg_class c
         where c.relnamespace = 'engram'::regnamespace and c.relowner <> v_owner and c.relkind in ('r', 'v', 'c')
    loop
        execute format('alter %s %s owner to %s', v_made.kind, v_made.name, v_owner::regrole);
    end loop;
end
$$;

comment on procedure engram._hand_over is
'Gives to the owner of the schema what somebody else made in it, such as a superuser who upgrades: functions that run as their owner must not run as that one, and the owner must not be locked out.';

revoke all on procedure engram._hand_over from public;
