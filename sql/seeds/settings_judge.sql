insert into engram.setting (name, default_value, description) values
    ('judge.enabled',       '0',   '1: decisions of the write gate that are in doubt are queued for a language model, which engram-pg worker --judge asks. 0: not.'),
    ('judge.below',         '0.7', 'Confidence of the rule that decided, below which the decision is in doubt, 0..1.'),
    ('judge.confidence',    '0.7', 'Confidence that the language model must give for its verdict to change anything, 0..1.'),
    ('judge.keep_hours',    '24',  'After how many hours in the queue a decision is not looked at any more.'),
    ('judge.max_attempts',  '3',   'How often a language model is asked about two texts before it is given up.'),
    ('judge.retry_seconds', '30',  'Wait before it is asked again; twice as long each time, up to an hour.')
on conflict (name) do update
    set default_value = excluded.default_value,
        description   = excluded.description;
