create or replace function engram._texts_in(list jsonb) returns text[]
    language sql immutable parallel safe
begin atomic
    select array(select t.item
                   from jsonb_array_elements_text(case when jsonb_typeof(_texts_in.list) = 'array' then _texts_in.list else '[]' end) with ordinality as t (item, place)
                  where t.item is not null order by t.place);
end;

comment on function engram._texts_in is 'The entries of a list in JSON as texts; none where it is no list, as it may be in what came from elsewhere.';

create or replace function engram._number_in(value jsonb) returns double precision
    language sql immutable parallel safe
begin atomic
    select case when jsonb_typeof(_number_in.value) = 'number' then (_number_in.value)::double precision end;
end;

comment on function engram._number_in is 'A number in JSON; null where it is none.';

create or replace function engram._task_of(space_id bigint, memory_id bigint) returns bigint
    language sql stable
begin atomic
    select max(e.dst) from engram.edge e
     where e.space_id = _task_of.space_id and e.src = _task_of.memory_id and e.relation = 'part_of';
end;

comment on function engram._task_of is 'The task that a memory hangs on, the latest of several; null where there is none.';
