insert into engram.setting (name, default_value, description) values
    ('gate.max_chars',        '4000', 'How much of a text the write gate reads word by word. A longer text is compared by the sentences that differ.'),
    ('gate.same_topic',       '0.6',  'Share of the existing text that a retraction must name again before it may replace it, 0..1.'),
    ('gate.restated',         '0.5',  'Share of the existing text that an incoming text with nothing new must cover to be a duplicate, 0..1.'),
    ('gate.paraphrase',       '0.70', 'Share of both texts that two paraphrases must have in common, 0..1.'),
    ('gate.paraphrase_similarity', '0.80', 'Cosine similarity that two paraphrases need besides.')
on conflict (name) do update
    set default_value = excluded.default_value,
        description   = excluded.description;
