create or replace function engram._gate_equated(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    olds text[] := array(select t from unnest(existing.tokens) with ordinality u (t, n) where left(t, 2) <> 'g:' order by n);
    news text[] := array(select t from unnest(incoming.tokens) with ordinality u (t, n) where left(t, 2) <> 'g:' order by n);
begin
    return existing.pivot between 1 and cardinality(olds) - 1 and incoming.pivot between 1 and cardinality(news) - 1
       and olds[1 : existing.pivot] <@ news[incoming.pivot + 1 :] and olds[existing.pivot + 1 :] <@ (c.only_old || c.shared) and c.only_old && olds[existing.pivot + 1 :]
       and news[1 : incoming.pivot] <@ (c.only_new || c.shared) and c.only_new && news[1 : incoming.pivot] and news[incoming.pivot + 1 :] <@ c.shared;
end
$$;

comment on function engram._gate_equated(engram.contrast, engram.gate_claims, engram.gate_claims) is
'Whether both say what something is, the one behind its name and the other before it: my favourite tea is mint, sage is my favourite tea.';
