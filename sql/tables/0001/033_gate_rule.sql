create table engram.gate_rule (
    rule        text primary key,
    verdict     text not null check (verdict in ('duplicate', 'contradiction', 'complement', 'distinct')),
    confidence  double precision not null check (confidence between 0 and 1),
    description text not null
);

comment on table engram.gate_rule is
'What each rule of the write gate concludes and how sure it is. A row changed here changes the verdict: to distinct, say, for a rule that must never act.';
