create index memory_engineering on engram.memory (space_id, collection, created_at, memory_id)
 where collection in ('engineering/handoff', 'engineering/failure', 'engineering/progress', 'engineering/task');

comment on index engram.memory_engineering is
'Finds hand-offs, failures, progress and tasks, which are ordinary memories of these four collections; empty where there are none.';
