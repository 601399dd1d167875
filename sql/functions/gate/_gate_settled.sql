create or replace function engram._gate_settled(rule text, c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns text
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    repeats  boolean := rule in ('same_content', 'restated', 'reworded', 'paraphrase');
    one_self boolean := ('self' = any (existing.cues)) <> ('self' = any (incoming.cues));   -- one of them is told of the teller
begin
    if incoming.asks = 'all' and rule <> 'same_content' then
        return 'question';
    elsif one_self and (repeats or rule in ('polarity_flipped', 'given_up', 'switched', 'value_moved', 'value_changed')
                        or rule in ('attribute_moved', 'single_changed') and c.shared && array['a:home', 'a:job', 'a:age', 'a:birthday', 'a:phone', 'a:boss', 'a:doctor', 'a:dentist'])
          and (case when 'self' = any (existing.cues) then engram._gate_named(incoming, c.words_new) else engram._gate_named(existing, c.words_old) end) then
        return 'other_person';   -- I smoke, Sofia quit smoking
    elsif rule in ('switched', 'given_up') and (c.flipped or incoming.ended && c.shared) and engram._gate_named(existing, c.words_old, 2) and engram._gate_named(incoming, c.words_new, 2) then
        return 'other_subject';   -- Mats plays chess, Piet gave chess up
    elsif rule in ('switched', 'given_up', 'owner_changed', 'value_moved') and engram._gate_elsewhere(c, existing, incoming, rule <> 'value_moved') then
        return 'other_subject';
    elsif rule = 'switched' and 'event' = any (incoming.cues) and not 'event' = any (existing.cues) and engram._gate_once(existing, incoming) then
        return 'same_subject';
    elsif rule = 'given_up' and not 'self' = any (incoming.cues) and starts_with(incoming.tokens[1], 'w:') and engram._gate_named(incoming, c.words_new) then
        return 'same_subject';   -- Petra quit the choir, which goes on
    elsif repeats and incoming.asks = 'some' then
        return 'same_subject';
    elsif repeats and existing.stamp <> incoming.stamp and (existing.cues && array['event'] or incoming.cues && array['event']) then
        return 'other_date';
    elsif rule in ('given_up', 'polarity_flipped', 'single_changed', 'attribute_moved', 'value_moved', 'value_changed', 'switched', 'ended', 'owner_changed', 'widened')
          and 'additive' = any (existing.cues) and 'additive' = any (incoming.cues) and cardinality(c.only_old || c.only_new) > 0 then
        return 'adds_one';   -- one of them, another of them
    elsif rule = 'restated' and c.words_old && array['w:ask', 'w:demand', 'w:frag', 'w:pregunt', 'c:问', 'w:approval'] then
        return 'same_subject';   -- after asking only
    elsif rule = 'restated' and c.weight < 2 and cardinality(c.only_old) > 0 then
        if not exists (select from unnest(c.shared) t where left(t, 2) in ('n:', 'b:', 'd:', 't:', 'v:', 'i:')) then
            return 'same_subject';
        end if;
    end if;
    return rule;
end
$$;

comment on function engram._gate_settled(text, engram.contrast, engram.gate_claims, engram.gate_claims) is
'The rule that stands in the end. A question is never answered by replacing or repeating; a text with a question left out says more than it repeats; the
same event on another date is another event; one word is too little to say the same; what is told of one of several says nothing of another one of them.';
