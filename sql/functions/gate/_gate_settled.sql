create or replace function engram._gate_settled(rule text, c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    repeats boolean := rule in ('same_content', 'restated', 'reworded', 'paraphrase');
begin
    if incoming.asks = 'all' and rule <> 'same_content' then
        return 'question';
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
