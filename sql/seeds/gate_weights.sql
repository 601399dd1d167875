insert into engram.gate_weight (feature, weight, description) values
    ('bias',          -5.99, 'What holds before anything is looked at.'),
    ('cover_old',      1.34, 'Share of the existing text that the incoming one says, near words counted.'),
    ('cover_new',      5.19, 'Share of the incoming text that the existing one says, near words counted.'),
    ('spare_new',     -0.10, 'Weight of the incoming words that nothing in the existing text explains, at most 5.'),
    ('shared',         0.53, 'Weight of what both say in the same words, at most 4.'),
    ('shared_value',   2.35, 'Both say the same number, date, time, version or identifier.'),
    ('hint',          -2.02, 'A mere sign of a change.'),
    ('event',         -4.16, 'The incoming text tells of something that happened.'),
    ('same_opening',  -1.12, 'Both begin with the same word: a paraphrase seldom does.'),
    ('other_opening', -0.78, 'The subject of the existing text is not in the incoming one.')
on conflict (feature) do update set description = excluded.description;
