create or replace function engram._placed(content text) returns text[]
    language sql immutable strict parallel safe
begin atomic
    select array(select u.lexeme from unnest(engram.lexemes(_placed.content)) as u where u.positions is not null);
end;

comment on function engram._placed is 'The lexemes of a text without whole identifiers, which its parts stand for.';
