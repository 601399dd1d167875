create or replace function engram._whole_limit() returns bigint
    language sql stable parallel safe
begin atomic
    select least(engram._setting_number('recall.whole_limit'), engram._setting_number('recall.exact_limit'))::bigint;
end;

comment on function engram._whole_limit is 'The largest space, in memories, of which a recall scores every memory.';
