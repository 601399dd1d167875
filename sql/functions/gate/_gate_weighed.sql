create or replace function engram._gate_weighed(existing engram.gate_claims, incoming engram.gate_claims, similarity double precision,
    out rule text, out contrast engram.contrast)
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    lost    text[];
    gained  text[];
    rest    boolean := false;   -- only what differs of two long texts is compared
    correct boolean := false;   -- and that is one sentence below the same first one
begin
    rule := engram._gate_apart(existing, incoming);
    if rule is not null then
        return;
    end if;
    if existing.sentences && incoming.sentences then
        lost   := array(select unnest(existing.sentences) except select unnest(incoming.sentences));
        gained := array(select unnest(incoming.sentences) except select unnest(existing.sentences));
        if cardinality(lost) * 2 <= cardinality(existing.sentences) and cardinality(gained) * 2 <= cardinality(incoming.sentences) then
            if cardinality(gained) = 0 then
                rule := case when cardinality(lost) = 0 then 'same_content' else 'restated' end;
            elsif cardinality(lost) = 0 then
                rule := 'adds_sentence';
            else
                rest     := true;
                correct  := existing.sentences[1] = incoming.sentences[1] and cardinality(lost) = 1 and cardinality(gained) = 1;
                existing := engram._claims(array_to_string(lost, ' '));
                incoming := engram._claims(array_to_string(gained, ' '));
            end if;
        end if;
    end if;
    if rule is null then
        contrast := engram._gate_contrast(existing, incoming, similarity);
        if rest then   -- a mood that both have, as in a sentence with if, is no difference
            contrast.cues := array(select unnest(incoming.cues) except select unnest(existing.cues) order by 1);
        end if;
        rule := engram._gate_ruling(contrast, existing, incoming);
        if correct and rule in ('other_label', 'values_differ') and contrast.one_slot and contrast.only_old = contrast.values_old and contrast.only_new = contrast.values_new
           and cardinality(contrast.values_old) = 1 and cardinality(contrast.values_new) = 1 and not (existing.cues || incoming.cues) && array['event']
           and contrast.values_old[1] || contrast.values_new[1] ~ '^b:[^:]*b:' then
            rule := 'value_changed';   -- how many, of a thing that the same text is about
        end if;
        if rule in ('switched', 'given_up') and existing.sentences is null and contrast.only_old = '{}' and engram._gate_says(incoming.sentences, existing) then
            rule := 'adds_sentence';
        elsif rule in ('same_subject', 'other_subject', 'little_shared')
           and engram._gate_reworded(contrast, existing, incoming) >= engram._setting_number('gate.reworded') then
            rule := 'reworded';
        end if;
    end if;
    rule := engram._gate_settled(rule, contrast, existing, incoming);
end
$$;

comment on function engram._gate_weighed(engram.gate_claims, engram.gate_claims, double precision) is
'The rule that fits two texts, and what they look like side by side where that was needed to find it. Long texts are compared by the sentences that differ;
a bare number in one sentence of many, below the same first one, is that number corrected.
A text that has the existing one as a sentence of its own takes nothing of it back, whatever change the other sentences tell of.';

create or replace function engram._gate_says(sentences text[], said engram.gate_claims) returns boolean
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    v_claims engram.gate_claims;
begin
    for i in 1 .. coalesce(cardinality(sentences), 0) loop
        v_claims := engram._claims(sentences[i]);
        if v_claims.polarity = said.polarity and not v_claims.cues && array['change', 'hint', 'past', 'hypothetical'] and v_claims.tokens @> said.tokens and v_claims.tokens <@ said.tokens then
            return true;
        end if;
    end loop;
    return false;
end
$$;

comment on function engram._gate_says is 'Whether one of the sentences says just what a text of these claims does, and tells of no change.';
