create or replace function engram.quality_score(
    importance     double precision,
    recalls        bigint,
    outcome_factor double precision
) returns double precision
    language sql stable parallel safe
begin atomic
    -- What is below 1e-100 is 0: an underflow is an error.
    select least(greatest(case when abs(quality_score.importance) > 1e-100::double precision then quality_score.importance else 0 end
                          * (1 + least(engram._setting_number('outcome.recall_bonus') * quality_score.recalls, engram._setting_number('outcome.recall_limit')))
                          * case when abs(quality_score.outcome_factor) > 1e-100::double precision then quality_score.outcome_factor else 0 end, 0), 1);
end;

comment on function engram.quality_score is
'What a memory was worth in a session: importance · (1 + min(0.1 · recalls, 0.5)) · outcome factor, within 0..1. The bonus of a recall and its limit are the settings outcome.recall_bonus and
outcome.recall_limit, the factor is outcome.success or outcome.failure.';
