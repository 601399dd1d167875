create or replace function engram.compare(existing text, incoming text, similarity double precision default null) returns engram.comparison
    language plpgsql stable parallel safe
    set search_path from current
    set jit = off
as $$
begin
    if existing is null or incoming is null then
        return null;
    end if;
    return engram._judge(engram._claims(compare.existing), engram._claims(compare.incoming),
                         coalesce(compare.similarity, 1 - (engram.embed(compare.existing) <=> engram.embed(compare.incoming))));
end
$$;

comment on function engram.compare(text, text, double precision) is
'Judges what an incoming text means for an existing one: duplicate (the same fact again), contradiction (makes it untrue), complement
(same subject, adds to it) or distinct (only looks alike), with confidence 0..1, the rule that decided and its evidence. In doubt it
keeps both: complement or distinct. Texts with different numbers, dates, versions or identifiers are never duplicates. similarity is the cosine of the two
embeddings; null takes the static embedder''s. Reads rows of polarity_term, gate_rule and setting; writes nothing.';
