create or replace function engram._step_rule(step text, item text, coverage double precision) returns text
    language plpgsql stable
    set search_path from current
as $$
declare
    v_topics text[];
    v_judged engram.comparison;
begin
    if engram._same_name(step, item) then
        return 'exact';
    end if;

    v_topics := engram._step_topics(step);
    if engram._step_names(item) = any (v_topics) then
        return 'named';
    end if;

    v_judged := engram.compare(engram._step_text(step), engram._step_text(item));
    return case
        when v_judged.verdict = 'duplicate' and v_judged.rule <> 'restated' then v_judged.rule
        -- An item that only names what a step is about leaves open what was to be done to it.
        when v_judged.rule in ('restated', 'same_subject') and coverage >= engram._setting_number('handoff.step_coverage')
         and (coverage = 1 or not engram._only_names(step, item) and (v_topics <> '{}' or engram._same_beginning(step, item))) then v_judged.rule
        -- To say that something was moved or added reads as a change of what a fact said; of a step it tells that it was taken.
        when v_judged.rule in ('switched', 'adds_value', 'adds_sentence') and coverage = 1 then v_judged.rule
    end;
end
$$;

comment on function engram._step_rule is
'The rule by which an item of a later record means a step of a hand-off, null when it does not: the same words, the name of what the step makes, or what engram.compare() holds to be the
same. coverage: the share of the step''s words that the item has. In doubt it does not: a step that is shown open is looked at again, one that is shown done is not.';

create or replace function engram._only_names(step text, item text) returns boolean
    language sql stable
begin atomic
    select strpos(engram._step_names(_only_names.step), engram._step_names(_only_names.item)) > 0;
end;

comment on function engram._only_names is 'Whether a step holds an item word for word: what it says besides, such as its verb, is then what the item lacks.';

create or replace function engram._same_beginning(step text, item text) returns boolean
    language sql stable
begin atomic
    select engram._placed(engram._step_text(split_part(engram._step_words(_same_beginning.step), ' ', 1))) <@ engram._placed(engram._step_text(_same_beginning.item));
end;

comment on function engram._same_beginning is 'Whether an item has the word that a step begins with, which in most languages is its verb.';
