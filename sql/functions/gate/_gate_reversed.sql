create or replace function engram._gate_reversed(existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    olds text[]  := existing.tokens;
    news text[]  := incoming.tokens;
    size integer := cardinality(olds);
    head integer := 0;
    tail integer := 0;
begin
    if size <> cardinality(news) or olds = news or existing.listed or incoming.listed
       or (existing.pivot is null) <> (incoming.pivot is null)
       or ('fronted' = any (existing.cues)) <> ('fronted' = any (incoming.cues))
       or (olds[existing.pivot] = 'o:own') <> (news[incoming.pivot] = 'o:own')   -- Ada owns it, its owner is Ada
       or array(select w from unnest(existing.words) w order by w) is distinct from array(select w from unnest(incoming.words) w order by w) then
        return false;
    end if;
    while olds[head + 1] = news[head + 1] loop
        head := head + 1;
    end loop;
    while olds[size - tail] = news[size - tail] loop
        tail := tail + 1;
    end loop;
    olds := olds[head + 1 : size - tail];
    news := news[head + 1 : size - tail];
    size := cardinality(olds);
    return exists (
        select from generate_series(1, least(4, size - 1)) a, generate_series(1, least(4, size - 1)) b
         where a + b <= size
           and array_to_string(olds[1 : a] || news[1 : b], ' ') ~ '^([wcp]:[^ ]*( |$))+$'
           and olds[1 : a] = news[size - a + 1 : size]
           and news[1 : b] = olds[size - b + 1 : size]
           and olds[a + 1 : size - b] = news[b + 1 : size - a]
           and (a + b < size or tail > 0 and existing.pivot = head + a and incoming.pivot = head + b
                or starts_with(existing.words[head], '=prefer')));
end
$$;

comment on function engram._gate_reversed(engram.gate_claims, engram.gate_claims) is
'Whether two texts of the same words differ in who does what to whom: one pair of parties changed places around the relation, or what is preferred and what it is preferred to.';
