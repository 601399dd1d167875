create or replace function engram._gate_matched(olds text[], news text[]) returns text[]
    language plpgsql immutable parallel safe
    set search_path from current
as $$
begin
    if olds <@ news then
        return olds;
    end if;
    for i in 1 .. cardinality(olds) loop
        continue when left(olds[i], 2) not in ('w:', 'n:', 'b:') or olds[i] = any (news);
        for j in 1 .. cardinality(news) loop
            if engram._gate_same(olds[i], news[j]) then
                olds[i] := news[j];
            end if;
        end loop;
    end loop;
    return olds;
end
$$;

comment on function engram._gate_matched(text[], text[]) is
'The old tokens, each written as the new text writes the same thing.';
