create or replace function engram._gate_swaps(olds text[], news text[])
    returns table (head integer, a integer, b integer, size integer, tail integer, parties text)
    language plpgsql immutable parallel safe
    set search_path from current
as $$
begin
    head := 0;
    tail := 0;
    size := cardinality(olds);
    if size <> cardinality(news) or olds = news then
        return;
    end if;
    while olds[head + 1] = news[head + 1] loop
        head := head + 1;
    end loop;
    while tail < size - head and olds[size - tail] = news[size - tail] loop
        tail := tail + 1;
    end loop;
    olds := olds[head + 1 : size - tail];
    news := news[head + 1 : size - tail];
    size := cardinality(olds);
    for a, b in
        select x, y from generate_series(1, least(4, size - 1)) x, generate_series(1, least(4, size - 1)) y
         where x + y <= size
           and olds[1 : x] = news[size - x + 1 : size]
           and news[1 : y] = olds[size - y + 1 : size]
           and olds[x + 1 : size - y] = news[y + 1 : size - x]
    loop
        parties := array_to_string(olds[1 : a] || news[1 : b], ' ');
        return next;
    end loop;
end
$$;

comment on function engram._gate_swaps(text[], text[]) is
'The ways in which two lists differ by two runs that changed places: of a tokens and of b, each up to 4, at both ends of size tokens between the head and the tail that are the same; parties: the tokens of the two runs.';
