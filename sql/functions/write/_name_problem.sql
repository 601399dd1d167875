create or replace function engram._name_problem(what text, name text) returns text
    language sql stable parallel safe
begin atomic
    select case when octet_length(_name_problem.name) > 1000
                then format('%s has %s bytes; the limit is 1,000', _name_problem.what, octet_length(_name_problem.name)) end;
end;

comment on function engram._name_problem is 'What is wrong with a name that goes into an index, whose rows have an end: null, or that it is too long.';
