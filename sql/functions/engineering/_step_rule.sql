create or replace function engram._step_rule(step text, item text, coverage double precision) returns text
    language plpgsql stable
    set search_path from current
as $$
declare
    v_judged engram.comparison;
begin
    if engram._same_name(step, item) then
        return 'exact';
    end if;

    v_judged := engram.compare(engram._step_text(step), engram._step_text(item));
    return case
        when v_judged.verdict = 'duplicate' and v_judged.rule <> 'restated' then v_judged.rule
        -- An item that only names what a step is about leaves open what was to be done to it.
        when v_judged.rule in ('restated', 'same_subject') and coverage >= engram._setting_number('handoff.step_coverage') then v_judged.rule
        -- To say that something was moved or added reads as a change of what a fact said; of a step it tells that it was taken.
        when v_judged.rule in ('switched', 'adds_value', 'adds_sentence') and coverage = 1 then v_judged.rule
    end;
end
$$;

comment on function engram._step_rule is
'The rule by which an item of a later record means a step of a hand-off, null when it does not: the same words, or what engram.compare() holds to be the same. coverage: the share of the
step''s words that the item has. In doubt it does not: a step that is shown open is looked at again, one that is shown done is not.';
