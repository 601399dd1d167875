create or replace function engram._gate_frame(olds text[], news text[], only_old text[], only_new text[], pivot integer,
    out one_slot boolean, out slot_subject boolean)
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    head integer := 0;
    tail integer := 0;
    size integer;
begin
    olds := array(select t from unnest(olds) with ordinality u (t, n) where left(t, 2) <> 'g:' order by n);
    news := array(select t from unnest(news) with ordinality u (t, n) where left(t, 2) <> 'g:' order by n);
    size := least(cardinality(olds), cardinality(news));
    while head < size and olds[head + 1] = news[head + 1] loop
        head := head + 1;
    end loop;
    while tail < size - head and olds[cardinality(olds) - tail] = news[cardinality(news) - tail] loop
        tail := tail + 1;
    end loop;
    one_slot     := head + tail > 0
                and olds[head + 1 : cardinality(olds) - tail] <@ only_old
                and news[head + 1 : cardinality(news) - tail] <@ only_new;
    slot_subject := one_slot and head < pivot;
end
$$;

comment on function engram._gate_frame(text[], text[], text[], text[], integer) is
'Whether two token rows are one frame with one run exchanged, and whether that run stands before the verb (the pivot).';
