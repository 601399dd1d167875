create or replace function engram._gate_sentences(content text) returns text[]
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    v_sentences text[];
begin
    if content ~ '[。！？；｡]\s*[^\s。！？；｡]|[.!?;]["”’)\]]*\s+\S|\S\s*\n\s*\S' then
        v_sentences := array(select p.piece from unnest(engram._pieces(content)) with ordinality p (piece, n) where p.n % 2 = 1 and p.piece <> '' order by p.n);
    end if;
    return case when cardinality(v_sentences) > 1 then v_sentences end;
end
$$;

comment on function engram._gate_sentences(text) is 'The sentences of a text that has several, else null.';
