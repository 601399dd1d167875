create or replace function engram._gate_contrast(existing engram.gate_claims, incoming engram.gate_claims, similarity double precision)
    returns engram.contrast
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    c         engram.contrast;
    olds      text[] := existing.tokens;
    news      text[] := incoming.tokens;
begin
    olds := engram._gate_matched(olds, news, incoming.topics);
    with token as (
        select s.t, bool_or(s.old) as old, bool_or(not s.old) as new, left(s.t, 2) as kind,
               case left(s.t, 2) when 'c:' then case when length(s.t) > 3 then 1 else 0.5 end when 'g:' then 0.1 else 1 end::double precision as weight,
               left(s.t, 2) in ('n:', 'b:', 'd:', 't:', 'v:', 'i:') as value
          from (select unnest(olds) as t, true as old union all select unnest(news), false) s
         group by s.t
         order by s.t
    )
    select coalesce(array_agg(t) filter (where old and new), '{}'),
           coalesce(array_agg(t) filter (where not new and kind <> 'g:'), '{}'),
           coalesce(array_agg(t) filter (where not old and kind <> 'g:'), '{}'),
           coalesce(array_agg(t) filter (where not new and value), '{}'),
           coalesce(array_agg(t) filter (where not old and value), '{}'),
           coalesce(array_agg(t) filter (where not new and kind <> 'g:' and not value), '{}'),
           coalesce(array_agg(t) filter (where not old and kind <> 'g:' and not value), '{}'),
           coalesce(sum(weight) filter (where old and new), 0),
           coalesce(sum(weight) filter (where not new and kind <> 'g:' and not value), 0),
           coalesce(sum(weight) filter (where not old and kind <> 'g:' and not value), 0)
      into c.shared, c.only_old, c.only_new, c.values_old, c.values_new, c.words_old, c.words_new, c.weight, c.weight_old, c.weight_new
      from token;
    c.cover_old  := c.weight / nullif(c.weight + c.weight_old + cardinality(c.values_old), 0);
    c.cover_new  := c.weight / nullif(c.weight + c.weight_new + cardinality(c.values_new), 0);
    c.flipped    := existing.polarity <> incoming.polarity;
    c.similarity := similarity;
    c.cues       := incoming.cues;
    if cardinality(c.only_old) > 0 and cardinality(c.only_new) > 0 then
        select s.one_slot, s.slot_subject into c.one_slot, c.slot_subject
          from engram._gate_frame(olds, news, c.only_old, c.only_new, least(existing.pivot, incoming.pivot)) s;
    else
        c.one_slot     := engram._gate_hidden_slot(olds, news);
        c.slot_subject := c.one_slot;
    end if;
    -- Of two changes in a row the later one counts where it puts another value in the same place.
    if not coalesce(c.one_slot and not c.slot_subject and cardinality(c.values_old) = 1 and cardinality(c.values_new) = 1
                    and left(c.values_new[1], 2) in ('n:', 'd:', 't:', 'v:') and not 'event' = any (incoming.cues), false) then
        for i in 1 .. cardinality(existing.cues) loop
            c.cues := array_remove(c.cues, existing.cues[i]);
        end loop;
    end if;
    return c;
end
$$;

comment on function engram._gate_contrast(engram.gate_claims, engram.gate_claims, double precision) is
'Lays the claims of two texts side by side.';
