create or replace function engram._begin_upkeep(jobs text[], every interval, stack text) returns engram.upkeep_run
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_run     engram.upkeep_run;
    v_free    boolean;
    v_unknown text := (select string_agg(quote_literal(n.name), ', ') from unnest(jobs) as n (name)
                        where not exists (select from engram.job j where j.job = n.name));
begin
    if v_unknown is not null then
        raise exception using
            errcode = 'EG003',
            message = format('no job is called %s', v_unknown),
            hint    = format('Use some of: %s.', (select string_agg(j.job, ', ' order by j.place, j.job) from engram.job j));
    end if;

    -- A tick of a scheduler comes a moment early or late, so a twentieth of the interval is no reason to wait for the next.
    if exists (select from engram.job_run r
                where r.job = 'maintain' and r.outcome = 'done'
                  and extract(epoch from clock_timestamp() - r.started_at) < 0.95 * extract(epoch from every)) then
        return v_run;
    end if;

    -- One that commits between its steps shows in job_run; one inside of a transaction holds the lock of that transaction until it ends. Looked at again under the
    -- lock, in a statement of its own, which sees what was committed meanwhile.
    if engram._upkeep_runs() or not pg_try_advisory_xact_lock(hashtextextended('engram maintain', 0)) then
        v_free := false;
    else
        v_free := not engram._upkeep_runs();
    end if;
    if not v_free then
        raise notice 'another maintain() is running; this one leaves the work to it';
        return v_run;
    end if;

    v_run.jobs := array(select s.job from engram.job_status s
                         where case when jobs is null then s.enabled and s.due else s.job = any (jobs) end
                         order by s.place, s.job);
    update engram.job_run r set finished_at = coalesce(r.heartbeat_at, r.started_at), outcome = 'interrupted' where r.finished_at is null;
    insert into engram.job_run (job, pid, heartbeat_at) values ('maintain', pg_backend_pid(), clock_timestamp()) returning job_run_id into v_run.run_id;
    v_run.job     := v_run.jobs[1];
    v_run.named   := jobs is not null;
    v_run.total   := 0;
    v_run.commits := engram._may_commit(stack);
    return v_run;
end
$$;

comment on function engram._begin_upkeep is
'Opens a maintain() with the jobs that are due, or with those named; without any if another one is running. What a session that ended left open is closed as interrupted.';

revoke all on function engram._begin_upkeep from public;

create or replace function engram._upkeep_runs() returns boolean
    language sql stable
begin atomic
    select exists (
        select from engram.job_run r
          join pg_stat_activity a on a.pid = r.pid and coalesce(a.state, 'active') = 'active'
         where r.job = 'maintain' and r.finished_at is null and r.pid <> pg_backend_pid()
           and r.heartbeat_at > clock_timestamp() - make_interval(secs => (select engram._setting_number('maintain.lease_seconds'))));
end;

comment on function engram._upkeep_runs is
'Whether another session runs a maintain() that commits between its steps: its row is open, its process at work, and its last sign of life no older than the setting maintain.lease_seconds.';

revoke all on function engram._upkeep_runs from public;

create or replace function engram._may_commit(stack text) returns boolean
    language sql stable
begin atomic
    select strpos(_may_commit.stack, E'\n') = 0
       and now() = statement_timestamp()
       and current_query() ~* '^\s*call\s[^;]*;?\s*$';
end;

comment on function engram._may_commit is
'Whether the procedure with this call stack may commit: called by nothing else, at the start of a transaction, as the only statement sent. In doubt it may not.';

revoke all on function engram._may_commit from public;
