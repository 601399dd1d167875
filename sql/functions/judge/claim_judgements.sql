create or replace function engram.claim_judgements(
    worker text,
    batch  integer default 4,
    lease  interval default '5 minutes'
) returns setof engram.judgement_claim
    language plpgsql volatile
    rows 4
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_due record;
    v_row record;
begin
    if coalesce(worker, '') = '' or batch is null or batch not between 1 and 1000 or lease is null or lease <= interval '0' or lease > interval '1 year' then
        raise exception using
            errcode = 'EG002',
            message = 'claim_judgements needs a worker''s name, a batch of 1 to 1,000 and a lease of at most a year',
            hint    = 'SELECT * FROM engram.claim_judgements(''worker-1'', 4, ''5 minutes'');';
    end if;

    delete from engram.judgement_job j
     where j.failed_at is null and j.due_at <= now()
       and j.queued_at < now() - make_interval(secs => 3600 * (select engram._setting_number('judge.keep_hours')));
    update engram.judgement_job j
       set failed_at = now(), leased_by = null, last_error = coalesce(j.last_error, 'the lease ran out each time: the worker died or hung')
     where j.failed_at is null and j.due_at <= now() and j.attempts >= (select engram._setting_number('judge.max_attempts'));

    select j.tenant_id, t.name as tenant into v_due
      from engram.judgement_job j
      join engram.tenant t on t.tenant_id = j.tenant_id
     where j.failed_at is null and j.due_at <= now()
     order by j.due_at
     limit 1;
    if not found then
        return;
    end if;

    perform set_config('engram.tenant', v_due.tenant, true);
    for v_row in
        with due as (
            select d.space_id, d.decision_id
              from engram.judgement_job d
             where d.tenant_id = v_due.tenant_id and d.failed_at is null and d.due_at <= now()
             order by d.due_at, d.space_id, d.decision_id
             limit batch
               for update skip locked
        )
        update engram.judgement_job j
           set leased_by = worker, due_at = now() + lease, attempts = j.attempts + 1
          from due
         where j.space_id = due.space_id and j.decision_id = due.decision_id
        returning j.*
    loop
        if engram._in_doubt(v_row.space_id, v_row.decision_id) then
            return query
                select v_row.space_id, v_row.decision_id, o.content, n.content, v_row.attempts
                  from engram.memory n
                  join engram.memory o on o.space_id = n.space_id and o.memory_id = v_row.existing_id
                 where n.space_id = v_row.space_id and n.memory_id = v_row.incoming_id;
        else
            delete from engram.judgement_job j where j.space_id = v_row.space_id and j.decision_id = v_row.decision_id;
        end if;
    end loop;
end
$$;

comment on function engram.claim_judgements is
'Leases up to batch decisions in doubt of one tenant to a worker, as the two texts they are about; may be fewer than are due, since what has changed meanwhile leaves the queue. Commit at once: the
lease, not the transaction, keeps others off (SKIP LOCKED). Sets engram.tenant for the transaction.';

revoke all on function engram.claim_judgements from public;
