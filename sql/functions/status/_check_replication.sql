create or replace function engram._check_replication() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_subscriptions bigint;
    v_stopped       text;
    v_starting      text;
    v_partial       text;
    v_whole         text;
begin
    -- Rows are written as the owner of the table, or of the subscription; PostgreSQL refuses one that policies hold.
    select count(distinct s.oid),
           string_agg(distinct format('%I writes as %I', s.subname, w.rolname), ', ') filter (where held.it),
           string_agg(distinct concat(case when not (o.rolsuper or o.rolbypassrls) then format('ALTER ROLE %I BYPASSRLS; ', o.rolname) end,
                                      format('ALTER SUBSCRIPTION %I SET (run_as_owner = true);', s.subname)), ' ') filter (where held.it)
      into v_subscriptions, v_stopped, v_starting
      from pg_subscription_rel r
      join pg_subscription s on s.oid = r.srsubid and s.subenabled
      join pg_class c on c.oid = r.srrelid and c.relnamespace = 'engram'::regnamespace
      join pg_roles o on o.oid = s.subowner
      join pg_roles w on w.oid = case when s.subrunasowner then s.subowner else c.relowner end
     cross join lateral (
         select c.relrowsecurity and (c.relforcerowsecurity or w.oid <> c.relowner) and not (w.rolsuper or w.rolbypassrls) as it) held;

    -- The first copy of a table is a query, and policies hide rows from it; what is written later comes whole.
    select string_agg(distinct quote_ident(w.rolname), ', '), string_agg(distinct format('ALTER ROLE %I BYPASSRLS;', w.rolname), ' ')
      into v_partial, v_whole
      from pg_replication_slots l
      join pg_stat_activity a on a.pid = l.active_pid
      join pg_roles w on w.oid = a.usesysid
     where l.slot_type = 'logical' and l.database = current_database()
       and not (w.rolsuper or w.rolbypassrls)
       and exists (
           select
             from pg_publication_tables p
             join pg_class c on c.relname = p.tablename and c.relnamespace = 'engram'::regnamespace
            where p.schemaname = 'engram' and c.relrowsecurity and (c.relforcerowsecurity or w.oid <> c.relowner));

    if v_stopped is not null then
        return query values ('replication', 'error',
            format('policies hold the role as which rows are written, so none are: %s', v_stopped), v_starting);
    end if;
    if v_partial is not null then
        return query values ('replication', 'warning',
            format('policies hold %s: a table that it copies for a subscriber lacks the rows of other tenants', v_partial),
            v_whole || ' Then make the subscriptions anew, with the tables empty.');
    elsif v_stopped is null and v_subscriptions > 0 then
        return query values ('replication', 'ok', format('%s subscriptions bring rows of engram', v_subscriptions), null);
    end if;
end
$$;

comment on function engram._check_replication is
'doctor(): logical replication that policies stop, on the subscriber, or make leave rows out, on the publisher. Without any it says nothing.';
