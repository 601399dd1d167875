create or replace function engram._gate_turned(existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    olds text[];
    news text[];
    size integer;
    head integer := 0;
    tail integer := 0;
begin
    olds := array(select case when left(u.word, 1) = '=' and ascii(substr(u.t, 3)) < 12293 then '=' else '' end || u.t from unnest(existing.tokens, existing.words) with ordinality u (t, word, n)
                   where left(u.t, 2) in ('w:', 'c:', 'p:', 'i:') order by u.n);
    news := array(select case when left(u.word, 1) = '=' and ascii(substr(u.t, 3)) < 12293 then '=' else '' end || u.t from unnest(incoming.tokens, incoming.words) with ordinality u (t, word, n)
                   where left(u.t, 2) in ('w:', 'c:', 'p:', 'i:') order by u.n);
    if olds = news or cardinality(olds) <> cardinality(news) then
        return false;
    end if;
    while olds[head + 1] = news[head + 1] loop
        head := head + 1;
    end loop;
    size := cardinality(olds);
    while tail < size - head and olds[size - tail] = news[size - tail] loop
        tail := tail + 1;
    end loop;
    olds := olds[head + 1 : size - tail];
    news := news[head + 1 : size - tail];
    size := cardinality(olds);
    return exists (
        select from generate_series(1, least(4, size - 1)) a, generate_series(1, least(4, size - 1)) b
         where a + b <= size
           and array_to_string(olds[1 : a] || news[1 : b], ' ') !~ '='
           and olds[1 : a] = news[size - a + 1 : size]
           and news[1 : b] = olds[size - b + 1 : size]
           and olds[a + 1 : size - b] = news[b + 1 : size - a]);
end
$$;

comment on function engram._gate_turned(engram.gate_claims, engram.gate_claims) is
'Whether two names changed places in one statement: from Pilton to Norrum, from Norrum to Pilton. A number said of the one way is none of the other.';
