create or replace function engram.complete_judgement(
    worker      text,
    space_id    bigint,
    decision_id bigint,
    verdict     text,
    confidence  double precision default 1,
    reason      text default null,
    judge       text default null
) returns text
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_tenant text;
    v_job    engram.judgement_job;
    v_doubt  boolean;
begin
    if verdict is null or verdict not in ('duplicate', 'contradiction', 'complement', 'distinct')
       or confidence is null or not confidence between 0 and 1 then
        raise exception using
            errcode = 'EG002',
            message = 'a judgement has a verdict and a confidence from 0 to 1',
            hint    = 'The verdicts are duplicate, contradiction, complement and distinct.';
    end if;

    select t.name into v_tenant
      from engram.judgement_job j
      join engram.tenant t on t.tenant_id = j.tenant_id
     where j.space_id = complete_judgement.space_id and j.decision_id = complete_judgement.decision_id and j.leased_by = worker;
    if not found then
        return 'stale';
    end if;

    perform set_config('engram.tenant', v_tenant, true);
    perform pg_advisory_xact_lock(space_id);
    v_doubt := engram._in_doubt(space_id, decision_id);

    delete from engram.judgement_job j
     where j.space_id = complete_judgement.space_id and j.decision_id = complete_judgement.decision_id and j.leased_by = worker
    returning * into v_job;
    if v_job.decision_id is null or not v_doubt then
        return 'stale';
    end if;

    return engram._revise_verdict(v_job, verdict, confidence,
        jsonb_strip_nulls(jsonb_build_object('rule', 'judge', 'verdict', verdict, 'confidence', confidence, 'reviews', v_job.decision_id,
                                             'judge', left(judge, 200), 'reason', left(reason, 300), 'late', true)));
end
$$;

comment on function engram.complete_judgement is
'Takes the verdict of a language model on what a worker claimed, with its reason (first 300 characters) and its name. revised: a new decision, which names the first as evidence.reviews and can be undone;
confirmed: it agrees, or sees nothing that would change anything; kept: it is not sure enough, or would lose a number, date or name; stale: a memory has changed meanwhile, the first
decision is undone, or the lease went to another. Raises EG002 for what is no verdict.';

revoke all on function engram.complete_judgement from public;
