create or replace function engram._queue_judgement(space_id bigint, decision_id bigint) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into engram.judgement_job (space_id, decision_id, tenant_id, incoming_id, existing_id, incoming_hash, existing_hash, incoming_at, existing_at)
    select d.space_id, d.decision_id, d.tenant_id, n.memory_id, o.memory_id, n.content_hash, o.content_hash, n.updated_at, o.updated_at
      from engram.decision d
      join engram.memory n on n.space_id = d.space_id and n.memory_id = d.memory_id
      join engram.memory o on o.space_id = d.space_id and o.memory_id = d.related_id
     where d.space_id = _queue_judgement.space_id and d.decision_id = _queue_judgement.decision_id
       and d.tenant_id = engram._tenant_id_in_force()
    on conflict do nothing;
end
$$;

comment on function engram._queue_judgement is
'Queues a decision about two memories for a language model to look at. Runs as the owner because the queue is closed; it queues only decisions of the tenant in force.';

revoke all on function engram._queue_judgement from public;
