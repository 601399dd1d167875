create or replace view engram.job_status with (security_invoker = true) as
select j.job,
       j.place,
       j.every,
       j.enabled,
       r.finished_at is null and r.started_at is not null as running,
       r.started_at                                      as last_started_at,
       r.finished_at                                     as last_finished_at,
       round(extract(epoch from coalesce(r.finished_at, r.heartbeat_at) - r.started_at), 3) as last_seconds,
       r.rows                                            as last_rows,
       r.outcome                                         as last_outcome,
       r.detail                                          as last_detail,
       r.started_at + d.turn                             as next_due_at,
       coalesce(r.started_at + 0.95 * d.turn <= clock_timestamp(), true) as due,
       j.enabled and j.every > interval '0'
           and coalesce(r.started_at + d.turn + j.every,
                        (select min(s.created_at) from engram.space s) + 2 * j.every) < now() as overdue,
       e.error                                           as last_error,
       e.started_at                                      as last_error_at,
       j.description
  from engram.job j
  left join lateral (select * from engram.job_run r where r.job = j.job order by r.started_at desc, r.job_run_id desc limit 1) r on true
  left join lateral (select * from engram.job_run r where r.job = j.job and r.error is not null order by r.started_at desc, r.job_run_id desc limit 1) e on true
 cross join lateral (
     select case r.outcome
                when 'done'   then j.every
                when 'failed' then least(j.every, make_interval(mins => engram._setting_number('maintain.retry_minutes')::integer))
                else interval '0' end as turn
 ) d
 order by j.place, j.job;

comment on view engram.job_status is
'Each job of maintain(): whether it is running, its last run (when, how long, how much, how it ended, counts), when it is due next (null: at once, it never ran), whether it is due (a twentieth of its turn early, since schedulers tick a moment early or late), whether it is overdue by more than a whole turn, and
its last error as long as job_run keeps it.';
