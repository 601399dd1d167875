alter table engram.space_stat
    add column frequent_keys   bigint[],
    add column frequent_counts integer[],
    add column frequent_of     bigint,
    add column sample          bigint[];

comment on column engram.space_stat.frequent_keys is
'The lexemes, as in lexeme_key, that many memories of the space contain, the most frequent first; null before they were counted.';
comment on column engram.space_stat.frequent_counts is 'How many memories contain each of frequent_keys.';
comment on column engram.space_stat.sample is 'Memories spread over the space, by which a recall sees how unlike the question its memories can be.';
comment on column engram.space_stat.frequent_of is 'How many memories the space had when frequent_keys were counted.';
