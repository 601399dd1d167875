create or replace function engram._gate_contrast(existing engram.gate_claims, incoming engram.gate_claims, similarity double precision)
    returns engram.contrast
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    c     engram.contrast;
    olds  text[] := array(select t from unnest(existing.tokens) with ordinality u (t, n) where left(t, 2) <> 'g:' order by n);
    news  text[] := array(select t from unnest(incoming.tokens) with ordinality u (t, n) where left(t, 2) <> 'g:' order by n);
    near  record;
    head  integer := 0;
    tail  integer := 0;
    short integer := least(cardinality(olds), cardinality(news));
begin
    c.similarity := similarity;
    c.only_old := array(select t from unnest(olds) t except select unnest(news));
    c.only_new := array(select t from unnest(news) t except select unnest(olds));
    c.shared   := array(select unnest(olds) intersect select unnest(news));
    for near in
        select o.t as old, n.t as new
          from unnest(c.only_old) o (t), unnest(c.only_new) n (t)
         where engram._gate_same(o.t, n.t)
    loop
        c.shared   := c.shared || near.old;
        c.only_old := array_remove(c.only_old, near.old);
        c.only_new := array_remove(c.only_new, near.new);
    end loop;
    c.values_old := array(select t from unnest(c.only_old) t where left(t, 2) in ('n:', 'b:', 'd:', 't:', 'v:', 'i:'));
    c.values_new := array(select t from unnest(c.only_new) t where left(t, 2) in ('n:', 'b:', 'd:', 't:', 'v:', 'i:'));
    c.words_old  := array(select t from unnest(c.only_old) t where left(t, 2) not in ('n:', 'b:', 'd:', 't:', 'v:', 'i:'));
    c.words_new  := array(select t from unnest(c.only_new) t where left(t, 2) not in ('n:', 'b:', 'd:', 't:', 'v:', 'i:'));
    c.cover_old  := engram._gate_weight(c.shared) / nullif(engram._gate_weight(c.shared) + engram._gate_weight(c.only_old), 0);
    c.cover_new  := engram._gate_weight(c.shared) / nullif(engram._gate_weight(c.shared) + engram._gate_weight(c.only_new), 0);
    c.cues       := array(select unnest(incoming.cues) except select unnest(existing.cues));
    c.flipped    := existing.polarity <> incoming.polarity;
    while head < short and olds[head + 1] = news[head + 1] loop
        head := head + 1;
    end loop;
    while tail < short - head and olds[cardinality(olds) - tail] = news[cardinality(news) - tail] loop
        tail := tail + 1;
    end loop;
    c.one_slot     := head + tail > 0 and cardinality(c.only_old) > 0 and cardinality(c.only_new) > 0
                  and olds[head + 1 : cardinality(olds) - tail] <@ c.only_old
                  and news[head + 1 : cardinality(news) - tail] <@ c.only_new;
    c.slot_subject := c.one_slot and head < least(existing.pivot, incoming.pivot);
    return c;
end
$$;

comment on function engram._gate_contrast(engram.gate_claims, engram.gate_claims, double precision) is
'Lays the claims of two texts side by side.';
