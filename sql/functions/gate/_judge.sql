create or replace function engram._judge(existing engram.gate_claims, incoming engram.gate_claims, similarity double precision default null)
    returns engram.comparison
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    weighed record;
    judged  engram.comparison;
begin
    weighed := engram._gate_weighed(existing, incoming, similarity);
    select r.verdict, r.confidence, r.rule into judged.verdict, judged.confidence, judged.rule from engram.gate_rule r where r.rule = weighed.rule;
    judged.evidence := engram._gate_evidence(weighed.contrast, similarity, incoming.lang);
    return judged;
end
$$;

comment on function engram._judge(engram.gate_claims, engram.gate_claims, double precision) is 'Judges two texts by their claims.';
