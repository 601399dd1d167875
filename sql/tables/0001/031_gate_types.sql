create type engram.gate_claims as (
    lang      text,      -- language the words were read in
    tokens    text[],    -- content in order, each with its kind before a colon: w:kafka n:30~s t:09:30
    pivot     integer,   -- how many tokens come before the first verb of being or attribute: the subject
    polarity  integer,   -- 1, or -1 when an odd number of negations turns the statement over
    cues      text[],    -- roles of polarity_term seen: change, past, additive, …
    listed    boolean,   -- the text joins members of a list
    sentences text[],    -- the sentences of a long text; null for a short one
    stamp     text,      -- the bracketed date before it
    teller    text,      -- who speaks, in lower case; null when nobody is named
    asks      text,      -- all: nothing but questions; some: a question was left out
    topics    text[],    -- the tokens in a coarse form by which two texts are first found to have anything in common
    lexicon   integer,   -- setting gate.lexicon when it was read
    body      text       -- what is left to read; null afterwards
);

comment on type engram.gate_claims is 'What the write gate reads out of one text, made once and compared with many. engram.memory_claims keeps it.';

create type engram.comparison as (
    verdict    text,
    confidence double precision,
    rule       text,
    evidence   jsonb
);

comment on type engram.comparison is
'Verdict of two texts: duplicate, contradiction, complement or distinct, how sure (0..1), the rule that decided, and what it saw.';

create type engram.gate_reading as (
    number  text,      -- a number whose unit may follow
    numeral text,      -- CJK numerals read so far
    month   text,      -- a month whose day may follow
    vague   boolean,   -- the month's word has another meaning
    clock   text,      -- a full hour whose minutes may follow
    daypart text,      -- am or pm, where an hour may follow
    said    text,      -- the word for it
    took    boolean,   -- the last token belongs to the quantity
    done    text[]     -- tokens now complete
);

comment on type engram.gate_reading is 'State of reading a quantity or time word by word.';
