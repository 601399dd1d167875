create type engram.contrast as (
    shared       text[],            -- content tokens of both
    only_old     text[],            -- content tokens of the existing text alone, generic words left out
    only_new     text[],
    values_old   text[],            -- of these the numbers, dates, times, versions and identifiers
    values_new   text[],
    words_old    text[],            -- and the rest
    words_new    text[],
    weight       double precision,  -- of what is shared: a word or value 1, a CJK character 0.5, a generic word 0.1
    weight_old   double precision,  -- of words_old
    weight_new   double precision,  -- of words_new
    cover_old    double precision,  -- share of the existing text that is shared, by weight
    cover_new    double precision,
    cues         text[],            -- roles the incoming text has and the existing one has not
    flipped      boolean,           -- polarity differs
    one_slot     boolean,           -- the same frame with one run of tokens exchanged
    slot_subject boolean,           -- that run stands before the verb
    similarity   double precision
);

comment on type engram.contrast is 'What two texts share and where they differ: all that the rules of the write gate look at.';
