create or replace function engram._gate_ruling(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns text
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    changes boolean := c.cues && array['change', 'hint'];
    ruled   text;
begin
    -- What needs no query is asked first: a condition with a query in it is no quick one, whatever stands before.
    if c.weight < 0.5 and not array_to_string(c.only_old || c.only_new, ' ') like any (array['s:%', '% s:%']) then
        return 'little_shared';
    elsif (existing.cues || incoming.cues) && array['courtesy'] and c.weight < 2
          and array_to_string(c.shared || c.only_old || c.only_new, ' ') !~ '\m[asntv]:' then
        return 'small_talk';
    elsif c.cues && array['hypothetical'] then
        return 'considered';
    elsif c.cues && array['opinion'] and not changes then
        return 'opinion';
    elsif c.cues && array['past'] and not changes then
        return case when c.flipped and c.cover_old >= 0.7 then 'ended' else 'past' end;
    elsif c.cues && array['additive'] and cardinality(c.only_old || c.only_new) > 0 then
        return case when engram._gate_widened(c, existing, incoming) then 'widened' else 'adds_one' end;
    elsif (c.only_old || c.only_new) && array['w:anyone', 'w:anybody', 'w:everyone', 'w:everybody'] and engram._gate_widened(c, existing, incoming) then
        return 'widened';
    elsif array_to_string(c.words_new || c.words_old, ' ') like any (array['p:%', '% p:%']) then
        return 'other_person';
    elsif existing.cues && array['hypothetical', 'past'] and not incoming.cues && array['hypothetical', 'past']
          and ('past' = any (existing.cues) or not changes) then
        return 'other_mood';
    elsif not c.flipped and cardinality(existing.cues || incoming.cues) > 1 and array_to_string(c.shared, ' ') like any (array['x:%', '% x:%']) then
        if (select count(*) from unnest(c.shared) t where left(t, 2) = 'x:' and ('-' || substr(t, 3) = any (existing.cues)) <> ('-' || substr(t, 3) = any (incoming.cues))) > 1 then
            return 'values_differ';   -- two opposites that cancel each other
        end if;
    end if;
    if cardinality(c.only_old) = 0 and cardinality(c.only_new) = 0 then
        return case when c.one_slot then 'other_subject'
                    when c.flipped and 'change' = any (existing.cues) and existing.polarity = 1 then 'same_subject'
                    when c.flipped then 'polarity_flipped'
                    when engram._gate_reversed(existing, incoming) then 'roles_reversed'
                    when changes and not existing.cues && array['change', 'hint'] and engram._gate_unlisted(existing, existing.tokens) <> engram._gate_unlisted(incoming, incoming.tokens)
                    then 'same_subject'   -- who does what may have changed
                    when existing.polarity = -1 and existing.ended <> '{}' and incoming.ended <> '{}' and not existing.ended && incoming.ended
                    then case when 'change' = any (c.cues) then 'polarity_flipped' else 'same_subject' end   -- another part of it is denied
                    else 'same_content' end;
    end if;
    if existing.polarity = -1 and incoming.polarity = -1 and 'change' = any (existing.cues) and 'change' = any (incoming.cues) and cardinality(c.only_old) = 0
          and existing.ended <@ c.shared and c.only_new <@ array['w:drink', 'w:eat', 'c:喝', 'c:飲', 'c:食', 'w:trink', 'w:ess', 'w:tom', 'w:beb', 'w:com', 'w:boir', 'w:bois', 'w:mang'] then
        return 'restated';   -- gave it up, drinks it no longer
    end if;
    ruled := engram._gate_retracts(c, existing, incoming);
    if ruled is not null then
        return ruled;
    elsif cardinality(c.values_old || c.values_new) > 0 then
        return engram._gate_values(c, existing, incoming);
    elsif c.one_slot and not c.flipped then
        return engram._gate_slot(c, existing, incoming);
    elsif not c.flipped and cardinality(c.only_old) > 0 and cardinality(c.only_new) > 0 and greatest(c.weight_old, c.weight_new) <= 2 and not c.shared && array['a:job']
          and array_to_string(c.shared, ' ') like any (array['a:%', '% a:%']) and engram._gate_equated(c, existing, incoming) and engram._gate_fits(c, existing, incoming) then
        return 'single_changed';
    elsif c.flipped or changes or 'opinion' = any (existing.cues) and not 'opinion' = any (incoming.cues) then
        return 'same_subject';
    elsif c.cover_old >= engram._setting_number('gate.restated') and cardinality(c.only_new) = 0
          or cardinality(c.only_old) = 0 and not exists (select from unnest(c.only_new) t where left(t, 2) not in ('a:', 'l:')) then
        return 'restated';
    elsif cardinality(c.only_old) = 0 and c.weight_new <= 1 and engram._gate_unlisted(incoming, c.words_new) = '{}' and incoming.sentences is null and not existing.listed and not incoming.listed
          and c.cover_new  >= engram._setting_number('gate.paraphrase')
          and c.similarity >= engram._setting_number('gate.paraphrase_similarity') then
        return 'paraphrase';
    end if;
    return case when c.weight >= 1 then 'same_subject' else 'little_shared' end;
end
$$;

comment on function engram._gate_ruling(engram.contrast, engram.gate_claims, engram.gate_claims) is
'The name of the rule of engram.gate_rule that fits two texts laid side by side.';
