insert into engram.setting (name, default_value, description) values
    ('gate.max_chars',        '4000', 'How much of a text the write gate reads word by word. A longer text is compared by the sentences that differ.'),
    ('gate.lexicon',          '1', 'Which state of engram.polarity_term texts are read by; counts up by itself with each change there.'),
    ('gate.judged',           '3',    'How many of the nearest memories are judged in full: those that share most with the new text. Each more is one more that may be replaced by mistake.'),
    ('gate.same_topic',       '0.6',  'Share of the existing text that a retraction must name again before it may replace it, 0..1.'),
    ('gate.restated',         '0.5',  'Share of the existing text that an incoming text with nothing new must cover to be a duplicate, 0..1.'),
    ('gate.reworded',        '0.45',  'How likely a text in other words must be a repeat, by engram.gate_weight, to count as a duplicate, 0..1.'),
    ('gate.kin',             '0.5', 'Cosine similarity of two words from which they are of one sort, so that after a word of change one takes the place of the other.'),
    ('gate.paraphrase',  '0.75', 'Share of the incoming text that a paraphrase with one word more must have in common with the existing one, 0..1.'),
    ('gate.paraphrase_similarity', '0.85', 'Cosine similarity that such a paraphrase needs besides.')
on conflict (name) do update
    set default_value = excluded.default_value,
        description   = excluded.description;
