create or replace function engram._gate_retracts(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns text
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    strong   boolean := 'change' = any (c.cues);
    changes  boolean := c.cues && array['change', 'hint'];
    persons  double precision;
    topic    double precision;   -- weight of what is shared besides attributes, persons, numbers and dates
    named    boolean;
    foreign_ boolean;
    personal boolean := c.shared && array['a:home', 'a:job', 'a:age', 'a:birthday', 'a:phone', 'a:language'];
    frame    double precision := c.weight / nullif(c.weight + c.weight_old, 0);
    moved    boolean;            -- a value of the same kind is another one
begin
    if not c.flipped and not changes and array_to_string(c.only_old, ' ') !~ '\ms:' then
        return null;
    end if;

    if engram._gate_other_bearer(c, existing, incoming)
       or existing.polarity = -1 and incoming.polarity = -1 and cardinality(c.only_old) = 0
       or c.flipped and incoming.polarity = -1 and not 'becomes' = any (c.cues) and c.weight_old in (0.5, 1) and c.weight_new = c.weight_old and c.cover_old < 0.8
          and engram._gate_unlisted(existing, c.words_old) <> '{}' and engram._gate_unlisted(incoming, c.words_new) <> '{}'
       or 'privative' = any (c.cues) and not 'becomes' = any (c.cues) and incoming.ended <> '{}' and not incoming.ended && c.shared then
        return null;   -- it is about something else
    end if;

    foreign_ := existing.tokens[1 : coalesce(existing.pivot, 0)] && c.only_old
                and not exists (select from unnest(existing.tokens[coalesce(existing.pivot, 0) + 1 :]) t where left(t, 2) = 'a:' and t = any (c.shared)) or incoming.tokens[1 : coalesce(incoming.pivot, 0)] && c.words_new
                and not (strong and c.cover_old >= 0.7 and existing.pivot >= 1 and array_to_string(c.shared, ' ') ~ '\ma:'
                         and existing.tokens[existing.pivot + 1 :] && array(select t from unnest(c.shared) t where left(t, 2) = 'w:'));   -- has overtaken it as
    select coalesce(sum(case when left(t, 2) = 'c:' and length(t) = 3 then 0.5 else 1 end) filter (where left(t, 2) not in ('g:', 'a:', 'p:', 'n:', 'b:', 'd:', 't:')
              and t not in ('w:day', 'w:weekly', 'w:monthly', 'w:yearly', 'w:hourly', 'w:nightly', 'w:night', 'w:nightshift', 'w:mornings')), 0),
           count(*) filter (where left(t, 2) = 'p:')
      into topic, persons
      from unnest(c.shared) t;

    if c.flipped and c.cover_old >= 0.5 and c.weight_old <= 1
       and (cardinality(c.values_new) = 0 or cardinality(c.only_old) = 0 and array_to_string(c.shared, ' ') ~ '\mx:'
            and (changes or array_to_string(c.values_new, ' ') !~ '\m[nbv]:') and array_to_string(c.values_new, ' ') !~ '\mi:([a-z]|[0-9]+)\M')
       and (c.weight_new <= 1 or c.weight_new <= 3 and changes and cardinality(c.only_old) = 0)
       and (cardinality(c.only_old) = 0 or cardinality(c.only_new) = 0 or c.weight - persons - (select count(*) from unnest(c.shared) t where left(t, 2) = 'x:') >= greatest(2, c.weight_old))
       and (changes or cardinality(c.only_new) = 0 and (cardinality(c.only_old) = 0 or incoming.polarity = -1))
       and not (cardinality(c.only_new) = 0 and existing.polarity = -1 and existing.tokens[1 : coalesce(existing.pivot, 0)] && c.words_old
                and exists (select from unnest(c.shared) t where left(t, 2) = 'x:'))   -- the part of it that is shut
       and not (coalesce(c.one_slot, false) and cardinality(c.only_old) > 0 and cardinality(c.only_new) > 0)   -- of another one
       and (cardinality(c.only_new) = 0 or incoming.polarity = 1 or incoming.ended && c.shared or array_to_string(c.shared, ' ') ~ '\mx:') then
        return 'polarity_flipped';
    elsif c.flipped and existing.polarity = -1 and cardinality(c.only_old) = 0 and topic >= 1.5 and c.weight_new <= 2
          and array_to_string(c.values_new, ' ') !~ '\mi:([a-z]|[0-9]+)\M' and not coalesce(c.one_slot, false) and existing.asks is null and incoming.asks is null then
        return 'polarity_flipped';   -- what was not at all is in one way or another
    elsif c.flipped and c.shared && array['x:open', 'x:solved', 'x:paid', 'x:ongoing', 'x:signed', 'x:published', 'x:valid', 'x:working', 'x:pending'] and array_to_string(c.shared, ' ') ~ '\mi:[a-z]+[-_#]?[0-9]{2,}' and c.weight_old <= 1 and cardinality(c.values_old) = 0
          and array_to_string(c.values_new, ' ') !~ '\m[nbvi]:' and c.weight_new <= 3 then
        return 'polarity_flipped';   -- what is known by its label is open or closed, whatever is told besides
    elsif not foreign_ and exists (select from unnest(c.only_old) o, unnest(c.only_new) n
                                    where left(o, 2) = 's:' and split_part(o, '=', 1) = split_part(n, '=', 1)) then
        return 'single_changed';
    elsif not changes then
        return null;
    elsif strong and existing.polarity = 1 and topic >= 1 and not existing.listed and not 'event' = any (existing.cues)
          and (not existing.tokens[1 : coalesce(existing.pivot, 0)] && c.only_old
               or 'becomes' = any (c.cues) and existing.pivot < cardinality(existing.tokens) and existing.tokens[existing.pivot + 1 :] <@ c.shared)
          and not engram._gate_once(existing, incoming)
          and exists (select from unnest(incoming.ended) t where t = any (c.shared) and left(t, 2) not in ('g:', 'p:', 'n:', 'b:', 'd:', 't:') and t not in ('w:night', 'w:nightly', 'w:nightshift', 'w:day'))
          and array_to_string(c.values_new, ' ') !~ '\m[nbvi]:'
          and not (c.cover_old <= 0.5
                   and (left(existing.tokens[1], 2) = 'c:' and left(incoming.tokens[1], 2) = 'c:' and existing.tokens[1] = any (c.words_old) and incoming.tokens[1] = any (c.words_new)
                        or engram._gate_kin(c, existing, incoming))) then
        return 'given_up';
    end if;

    named := not coalesce(existing.tokens[coalesce(existing.pivot, cardinality(existing.tokens)) + 1 :] && c.only_old, false);
    if strong and named and (c.cover_new >= 0.25 or c.weight_new <= 4) and c.cover_old >= engram._setting_number('gate.same_topic') and topic >= (case when personal then 0.5 else 1 end)
       and (cardinality(c.values_old) > 0 or array_to_string(c.values_new, ' ') !~ '\m[nb]:') then
        return 'switched';
    end if;

    if strong and not c.flipped and c.weight_old <= 3 and cardinality(c.values_old || c.values_new) = 0
       and existing.tokens[cardinality(existing.tokens)] = incoming.tokens[cardinality(incoming.tokens) - 1]
       and left(existing.tokens[cardinality(existing.tokens)], 2) = 'w:'
       and array(select t from unnest(c.only_new) t where left(t, 2) <> 'a:' or t = 'a:home') = incoming.tokens[cardinality(incoming.tokens) :]
       and incoming.tokens[cardinality(incoming.tokens) :] <@ engram._gate_unlisted(incoming, c.only_new) then
        return 'switched';   -- from the last word of the existing text to another one
    end if;

    if (not foreign_ or c.cover_old >= 0.75 and c.words_new = '{}') and topic >= 1 and c.cover_old >= engram._setting_number('gate.same_topic') and c.weight_old <= 1
       and not (existing.cues || incoming.cues) && array['event'] and engram._gate_from_to(c, incoming) then
        return 'switched';
    end if;

    moved := (topic >= 1 or array_to_string(c.shared, ' ') like any (array['a:%', '% a:%'])) and cardinality(c.values_old) > 0 and cardinality(c.values_new) > 0
         and exists (select from unnest(c.values_old) o, unnest(c.values_new) n where engram._gate_alike(o, n))
         and (strong or left(c.values_new[1], 2) <> 'i:') and not engram._gate_other_count(c, existing, incoming);
    if moved and frame = 1 then
        return 'value_moved';
    elsif 'o:own' = any (c.shared) and c.weight >= (case when c.one_slot then 1 else 2 end) and engram._gate_run(existing.tokens, c.only_old)
          and (cardinality(c.values_new) > 0 or engram._gate_unlisted(incoming, c.only_new) <> '{}' or exists (select from unnest(c.only_new) t where left(t, 2) = 'p:')) then
        return 'owner_changed';
    elsif not c.flipped and cardinality(c.values_old || c.values_new) = 0 and engram._gate_succeeded(c, existing, incoming) then
        return 'owner_changed';
    elsif foreign_ then
        return null;
    elsif topic >= 1 and greatest(c.weight_old, c.weight_new) <= 2
          and ('becomes' = any (c.cues) and c.one_slot and abs(c.weight_old - c.weight_new) <= 1
                  and (cardinality(c.values_old) = 0) = (cardinality(c.values_new) = 0)
               or ('becomes' = any (c.cues) and c.cover_old >= 0.5 or c.one_slot and not c.slot_subject)
                  and cardinality(c.values_old || c.values_new) = 0 and engram._gate_kin(c, existing, incoming)) then
        return 'switched';
    elsif c.one_slot and not coalesce(c.slot_subject, false) and not c.flipped and cardinality(c.values_old || c.values_new) = 0
          and (topic >= 1 or persons > 0) and greatest(c.weight_old, c.weight_new) <= 2
          and (strong and topic >= 1.5 and greatest(c.weight_old, c.weight_new) <= 1
               or abs(c.weight_old - c.weight_new) <= 0.5
                  and (engram._gate_names(existing, c.only_old) and engram._gate_names(incoming, c.only_new)
                       or engram._gate_anchored(existing.tokens, incoming.tokens, c.only_old, c.only_new))) then
        return 'switched';
    elsif strong and not c.flipped and 'a:home' = any (c.only_new) and c.weight_old <= 2 and c.weight_new <= 3
          and existing.pivot >= 1 and existing.tokens[1 : existing.pivot] <@ c.shared and existing.tokens[1] = incoming.tokens[1]
          and c.only_old <@ engram._gate_unlisted(existing, c.only_old) and engram._gate_unlisted(incoming, c.only_new) <> '{}' then
        return 'switched';   -- stands in one place, moved to another
    elsif cardinality(c.only_new) > 0 and cardinality(c.only_old) > 0 and least(c.weight_old, c.weight_new) <= 4 and c.weight_old <= 6 and (strong or existing.sentences is null)
          and engram._gate_fits(c, existing, incoming)
          and (personal or (topic >= 1 or cardinality(existing.tokens) <= 3) and array_to_string(c.shared, ' ') ~ '\ma:') then
        return 'attribute_moved';
    end if;
    -- Other words besides: then the one value must be what the change is about, not the date of another event.
    return case when moved and not c.flipped and frame >= 0.5 and (strong or c.weight_old - (select count(*) from unnest(c.words_old) t where left(t, 2) = 'a:') <= 1)
                 and not ((existing.cues || incoming.cues) && array['event'] and left(c.values_new[1], 2) in ('d:', 't:')) then 'value_moved' end;
end
$$;

comment on function engram._gate_retracts(engram.contrast, engram.gate_claims, engram.gate_claims) is
'The rule by which the incoming text takes the existing one back in words: by negation, or by announcing a change. Null when it does not.';
