create or replace function engram._gate_known(name text) returns boolean
    language plpgsql stable parallel safe
    set search_path from current
    set enable_seqscan = off
as $$
begin
    return exists (select from engram.polarity_term p where p.enabled and p.head = any (engram._gate_tokens(_gate_known.name)));
end
$$;

comment on function engram._gate_known(text) is 'Whether the lexicon has a phrase that begins with one of the words.';
