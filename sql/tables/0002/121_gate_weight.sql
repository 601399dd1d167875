create table engram.gate_weight (
    feature     text primary key,
    weight      double precision not null,
    description text not null
);

comment on table engram.gate_weight is
'What speaks for an incoming text being the existing one in other words, where nothing speaks against it: the probability is the logistic function of the sum of feature times weight. Shipped
weights were fitted to labelled pairs; the column is yours to change.';
