insert into engram.kind (kind, lambda, description) values
    ('strategy',   0.10, 'How to do things: a decision, a plan, a way of working. Fades slowest.'),
    ('fact',       0.16, 'What is so: about people, projects, systems, preferences. The default.'),
    ('assumption', 0.20, 'What is believed but not checked.'),
    ('failure',    0.35, 'What went wrong and why. Fades fastest, since most are mended.')
on conflict (kind) do update
   set lambda      = excluded.lambda,
       description = excluded.description
 where not kind.customized;
