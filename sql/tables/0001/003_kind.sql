create table engram.kind (
    kind         text primary key,
    lambda       double precision not null check (lambda > 0 and lambda < 'infinity'),
    time_to_live interval check (time_to_live > interval '0' and time_to_live <= interval '10000 years'),
    description  text not null,
    customized   boolean not null default false
);

comment on table engram.kind is
'Kinds of memory with their forgetting curve. Insert a row to add a kind; a row that you change stays as you made it
through upgrades.';
comment on column engram.kind.lambda is 'Decay a day on the Ebbinghaus curve, before importance slows it.';
comment on column engram.kind.time_to_live is 'A memory of this kind expires this long after it was created; null means never.';
comment on column engram.kind.customized is 'Set by itself when a person changes the row; an upgrade then leaves it alone.';
