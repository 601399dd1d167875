create or replace function engram._opening(content text) returns text[]
    language sql immutable parallel safe
begin atomic
    -- Most texts begin with neither, and that is cheaper to see than to match.
    select case
        when left(_opening.content, 1) = '[' or strpos(left(_opening.content, 120), ':') > 0
        then regexp_match(left(_opening.content, 120), '^((\[[^\]]*\]\s*)?(?:([[:alpha:]][[:alpha:] .''-]{0,40}):\s+)?)')
        when _opening.content is not null then array['', null, null]
    end;
end;

comment on function engram._opening(text) is
'How a turn of a conversation opens: all of it, a bracketed note such as a date, and a name before a colon. The last two are null where they are not there.';
