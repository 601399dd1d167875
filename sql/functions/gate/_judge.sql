create or replace function engram._judge(existing engram.gate_claims, incoming engram.gate_claims, similarity double precision default null)
    returns engram.comparison
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    contrast engram.contrast;
    lost     text[];
    gained   text[];
    judged   engram.comparison;
begin
    judged.rule := engram._gate_apart(existing, incoming);
    if judged.rule is null and existing.sentences is not null and incoming.sentences is not null then
        lost   := array(select unnest(existing.sentences) except select unnest(incoming.sentences));
        gained := array(select unnest(incoming.sentences) except select unnest(existing.sentences));
        if cardinality(lost) * 2 <= cardinality(existing.sentences) and cardinality(gained) * 2 <= cardinality(incoming.sentences) then
            if cardinality(gained) = 0 then
                judged.rule := case when cardinality(lost) = 0 then 'same_content' else 'restated' end;
            elsif cardinality(lost) = 0 then
                judged.rule := 'adds_sentence';
            else
                existing := engram._claims(array_to_string(lost, ' '));
                incoming := engram._claims(array_to_string(gained, ' '));
            end if;
        end if;
    end if;
    if judged.rule is null then
        contrast    := engram._gate_contrast(existing, incoming, similarity);
        judged.rule := engram._gate_settled(engram._gate_ruling(contrast, existing, incoming), contrast, existing, incoming);
    end if;
    select r.verdict, r.confidence into judged.verdict, judged.confidence from engram.gate_rule r where r.rule = judged.rule;
    if contrast is null then
        judged.evidence := jsonb_strip_nulls(jsonb_build_object('similarity', round(similarity::numeric, 4), 'language', incoming.lang));
        return judged;
    end if;
    judged.evidence := jsonb_strip_nulls(jsonb_build_object(
        'shared', contrast.shared, 'existing_only', contrast.only_old, 'incoming_only', contrast.only_new,
        'cues', nullif(contrast.cues, '{}'), 'polarity_differs', nullif(contrast.flipped, false),
        'overlap', jsonb_build_array(round(contrast.cover_old::numeric, 3), round(contrast.cover_new::numeric, 3)),
        'similarity', round(similarity::numeric, 4),
        'language', incoming.lang));
    return judged;
end
$$;

comment on function engram._judge(engram.gate_claims, engram.gate_claims, double precision) is
'Judges two texts by their claims; engram.compare() for many candidates of one text.';
