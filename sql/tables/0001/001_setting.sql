create table engram.setting (
    name          text primary key,
    default_value text not null,
    value         text,
    description   text not null
);

comment on table engram.setting is
'Every constant that is a decision. The effective value is coalesce(value, default_value); engram.configure() sets value,
an upgrade touches only default_value.';
comment on column engram.setting.value is 'The override of this database, or null for the shipped default.';
