create table engram.static_token (
    token  text collate "C" primary key,
    vector halfvec(256) not null
);

comment on table engram.static_token is
'Token vectors of the static embedder: words, word pieces (continuations begin with ##), East Asian words and characters,
letters of other scripts, symbols, and the rows #0 to #255 for characters that are in no other row. Shipped data, no user
content. Components are whole numbers on one common scale that already carries each token''s weight, so a text is the
normalised mean of its rows.';
comment on column engram.static_token.token is 'Folded form: compatibility forms resolved, no accents, lower case.';
comment on column engram.static_token.vector is 'Weighted vector, components -127 to 127.';
