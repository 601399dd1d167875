create or replace function engram._gate_reworded(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns double precision
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    -- One place, season, side or rhythm against another.
    beside constant text[] := array['w:production', 'w:staging', 'w:development', 'w:test', 'w:left', 'w:right', 'w:north', 'w:south', 'w:east', 'w:west', 'w:summer', 'w:winter', 'w:autumn', 'w:spring',
        'w:mornings', 'w:evenings', 'w:ios', 'w:android', 'w:front', 'w:back', 'w:backend', 'w:frontend', 'w:weekly', 'w:monthly', 'w:yearly', 'w:nightly', 'w:owe', 'w:owe me'];
    near       record;
    cover_old  double precision;
    cover_new  double precision;
    spare_old  double precision;   -- weight of the words that nothing in the other text explains
    spare_new  double precision;
begin
    if c.weight < 1 or c.flipped or cardinality(c.values_old || c.values_new) > 0
       or c.one_slot
       or cardinality(c.only_old || c.only_new) = 0
       or c.cues && array['change', 'hypothetical', 'past', 'opinion', 'additive']
       or existing.cues && array['courtesy'] or incoming.cues && array['courtesy']
       or existing.asks is not null or incoming.asks is not null
       or greatest(c.weight_old, c.weight_new) > 2 * c.weight + 1
       or coalesce(cardinality(incoming.sentences), 1) > coalesce(cardinality(existing.sentences), 1)
       or existing.sentences && incoming.sentences   -- what stands beside a sentence that is the same is said besides
       or existing.sentences is not null and incoming.sentences is null then
        return 0;
    elsif exists (select from unnest(c.words_old || c.words_new) t where left(t, 2) = 'p:')
       or exists (select from unnest(c.words_old) t where left(t, 2) in ('a:', 's:', 'x:', 'o:', 'l:'))   -- one attribute against another
          and exists (select from unnest(c.words_new) t where left(t, 2) in ('a:', 's:', 'x:', 'o:', 'l:'))
       or c.words_old && beside and c.words_new && beside
       or engram._gate_parallel(existing.tokens, incoming.tokens, c.words_old, c.words_new) then
        return 0;
    end if;

    near      := engram._gate_explained(c, existing, incoming);
    spare_old := c.weight_old - near.olds;
    spare_new := c.weight_new - near.news;
    cover_old := (c.weight + near.olds) / (c.weight + c.weight_old);
    cover_new := (c.weight + near.news) / (c.weight + c.weight_new);
    if near.strange or cover_old < 0.5 or cover_new < 0.45 or spare_new - spare_old > 1.25 then
        return 0;
    end if;
    return (
        select 1 / (1 + exp(-sum(w.weight * case w.feature
                   when 'bias'           then 1
                   when 'cover_old'      then cover_old
                   when 'cover_new'      then cover_new
                   when 'spare_new'      then least(spare_new, 5)
                   when 'shared'         then least(c.weight, 4)
                   when 'shared_value'   then exists (select from unnest(c.shared) t where left(t, 2) in ('n:', 'b:', 'd:', 't:', 'v:', 'i:'))::integer
                   when 'hint'           then ('hint' = any (c.cues))::integer
                   when 'event'          then ('event' = any (c.cues))::integer
                   when 'same_opening'   then (engram._gate_first(existing.tokens) = engram._gate_first(incoming.tokens))::integer
                   when 'other_opening'  then coalesce(existing.tokens[1 : coalesce(existing.pivot, 0)] && c.words_old, false)::integer
                   else 0 end)))
          from engram.gate_weight w);
end
$$;

comment on function engram._gate_reworded(engram.contrast, engram.gate_claims, engram.gate_claims) is
'How likely the incoming text is the existing one in other words, 0..1, by the rows of engram.gate_weight. 0 where anything speaks against it: a number, date, version or identifier that one
lacks, another polarity, person or mood, another attribute, one place of one frame that differs, a name or other rare word, one sentence more, or much that is new.';
