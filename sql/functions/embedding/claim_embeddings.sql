create or replace function engram.claim_embeddings(
    worker text,
    batch  integer default 64,
    lease  interval default '2 minutes',
    model  text default null
) returns setof engram.embedding_claim
    language plpgsql volatile
    rows 64
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_tries integer := engram._setting_number('embedding.max_attempts');
    v_due   record;
    v_claim engram.embedding_claim;
begin
    if coalesce(worker, '') = '' or batch is null or batch not between 1 and 10000 or lease is null or lease <= interval '0' or lease > interval '1 year' then
        raise exception using
            errcode = 'EG002',
            message = 'claim_embeddings needs a worker''s name, a batch of 1 to 10,000 and a lease of at most a year',
            hint    = 'SELECT * FROM engram.claim_embeddings(''worker-1'', 64, ''2 minutes'');';
    end if;

    select j.model_id, j.tenant_id, t.name as tenant, m.name as model
      into v_due
      from engram.embedding_model m
     cross join lateral (
         select d.model_id, d.tenant_id, d.due_at from engram.embedding_job d
          where d.model_id = m.model_id and d.failed_at is null and d.due_at <= now() and d.attempts < v_tries
          order by d.due_at limit 1) j
      join engram.tenant t on t.tenant_id = j.tenant_id
     where case when claim_embeddings.model is null then m.provider <> 'caller' else m.name = claim_embeddings.model end
     order by m.active desc, j.due_at
     limit 1;
    if not found then
        -- All that may be left due are texts that were tried too often.
        perform engram.sweep_embeddings();
        return;
    end if;

    perform set_config('engram.tenant', v_due.tenant, true);
    for v_claim in
        with due as (
            select d.space_id, d.memory_id
              from engram.embedding_job d
             where d.model_id = v_due.model_id and d.tenant_id = v_due.tenant_id and d.failed_at is null and d.due_at <= now()
               and d.attempts < v_tries
             order by d.due_at, d.space_id, d.memory_id
             limit batch
               for update skip locked
        ),
        leased as (
            update engram.embedding_job j
               set leased_by = worker, due_at = now() + lease, attempts = j.attempts + 1
              from due d
             where j.space_id = d.space_id and j.memory_id = d.memory_id and j.model_id = v_due.model_id
            returning j.space_id, j.memory_id, j.content_hash, j.attempts
        )
        select l.space_id, l.memory_id, v_due.model_id, v_due.model, m.content, l.content_hash, l.attempts
          from leased l
          join engram.memory m using (space_id, memory_id)
    loop
        return next v_claim;
    end loop;
end
$$;

comment on function engram.claim_embeddings is
'Leases up to batch due texts of one model and one tenant to a worker; empty when nothing is due. Commit at once: the lease, not the transaction, keeps others off
(SKIP LOCKED), and whoever dies leaves them to the next when it ends. The active model goes first; texts of a caller model are given only when asked for by name. Sets engram.tenant for the transaction.';

revoke all on function engram.claim_embeddings from public;
