create or replace function engram.doctor(functions text default null, client_time timestamptz default null)
    returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
    set jit = off
as $$
begin
    return query
        select c."check", c.status, c.detail, case when c.status <> 'ok' then c.fix end
          from (
              select * from engram._check_server()
              union all
              select * from engram._check_versions(doctor.functions)
              union all
              select * from engram._check_clock(doctor.client_time)
              union all
              select * from engram._check_static_model()
              union all
              select * from engram._check_vectors()
              union all
              select * from engram._check_queue()
              union all
              select * from engram._check_judge()
              union all
              select * from engram._check_indexes()
              union all
              select * from engram._check_structure()
              union all
              select * from engram._check_bindings()
              union all
              select * from engram._check_replication()
              union all
              select * from engram._check_upkeep()
              union all
              select * from engram._check_schedule()
          ) c ("check", status, detail, fix)
         order by array_position(array['error', 'warning', 'ok'], c.status);
end
$$;

comment on function engram.doctor is
'Examines this installation: check, status (ok, warning or error), detail, and the statement that mends it. Worst first. functions: the fingerprint of the
functions that the program asking was made for, and client_time its clock; without them they are not compared. In multi-tenant
mode it counts the rows of the tenant in force.';
