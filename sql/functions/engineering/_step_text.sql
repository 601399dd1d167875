create or replace function engram._step_text(step text) returns text
    language sql immutable strict parallel safe
begin atomic
    select regexp_replace(_step_text.step, '\m(add)(ed|ing)\M', '\1', 'gi');
end;

comment on function engram._step_text is
'A step as it is compared: the stemmer of PostgreSQL before 18 makes "ad" of added and adding, and of no other common verb another word.';
