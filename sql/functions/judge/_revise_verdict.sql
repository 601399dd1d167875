create or replace function engram._revise_verdict(job engram.judgement_job, verdict text, confidence double precision, evidence jsonb) returns text
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_first engram.decision;
    v_new   engram.memory;
    v_old   engram.memory;
begin
    select * into v_first from engram.decision d where d.space_id = job.space_id and d.decision_id = job.decision_id;
    select * into v_new from engram.memory m where m.space_id = job.space_id and m.memory_id = job.incoming_id;
    select * into v_old from engram.memory m where m.space_id = job.space_id and m.memory_id = job.existing_id;

    if (v_first.action = 'replace') = (verdict in ('duplicate', 'contradiction')) then
        return 'confirmed';
    elsif confidence < engram._setting_number('judge.confidence') or v_new.kind <> v_old.kind or v_new.collection <> v_old.collection
       or verdict = 'contradiction' and v_new.valid_until < coalesce(v_old.valid_until, 'infinity')
       or verdict = 'duplicate' and engram._says_more(v_old.content, v_new.content) then
        return 'kept';
    elsif v_first.action = 'replace' then
        perform engram._record(job.space_id, 'revive', v_new.memory_id, v_old.memory_id, v_first.similarity, evidence,
                               engram._restore(job.space_id, v_first.before));
    else
        perform engram._settle_as(v_new, v_old, verdict, v_first.similarity, evidence);
    end if;
    return 'revised';
end
$$;

comment on function engram._revise_verdict is
'Acts on the verdict of a language model about a decision of the gate: two that were kept apart become one or the older is retired; one that was retired is active again.';

revoke all on function engram._revise_verdict from public;

create or replace function engram._says_more(existing text, incoming text) returns boolean
    language sql stable
begin atomic
    select exists (
        select from jsonb_array_elements_text(coalesce((engram._judge(engram._claims(existing), engram._claims(incoming))).evidence -> 'incoming_only', '[]')) as t (token)
         where t.token ~ '^[nbdtvi]:');
end;

comment on function engram._says_more is 'Whether the incoming text has a number, date, time, version or identifier that the existing one has not: then it is no mere repeat, whoever says so.';

revoke all on function engram._says_more from public;
