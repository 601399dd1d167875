create table engram.write_policy (
    kind   text primary key,
    policy text not null check (policy in ('resolve', 'reject', 'merge', 'append')),
    known  text generated always as (nullif(kind, '*')) stored references engram.kind (kind) on delete cascade
);

comment on table engram.write_policy is
'What remember() does when a call names no policy: one row a kind, and one of the kind * for all others. A row that you add or change stays as you made it through upgrades.';
comment on column engram.write_policy.kind is 'A row of engram.kind, or * for every kind without a row of its own.';
comment on column engram.write_policy.policy is
'resolve: a duplicate reinforces, a contradiction replaces, the rest is new · reject: as resolve, but a duplicate is refused and what is there returned, unchanged ·
merge: as resolve, but a text that repeats all clauses of another and adds some takes its place, each clause once · append: always new, nothing is compared and nothing locked.';
comment on column engram.write_policy.known is 'The kind, for the reference to engram.kind.';

comment on type engram.remembered is
'What became of a text. action new: memory_id is the new memory; reinforce: memory_id is the one that said it already; reject: memory_id is the one that says it already, nothing changed;
replace: memory_id is new, related_id the one that it retired; merge: memory_id is new and says what the text and related_id said, which it retired.
evidence says why; engram.undo(decision_id) reverses it.';
