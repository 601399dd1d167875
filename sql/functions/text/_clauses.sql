create or replace function engram._clauses(content text, out clause text, out gap text, out key text) returns setof record
    language plpgsql immutable strict parallel safe
    set search_path from current
as $$
declare
    v_leans  constant text := '^(?:(?:he|she|it|they|this|that|these|those|er|sie|es|das|dies|dieser|diese|él|ella|ellos|ellas|eso|esto|il|elle|ils|elles|cela|ça)\M'
        '|[他她它这那]|彼|それ|これ|その|この)';
    v_pieces text[] := engram._pieces(content);
    v_opened text := coalesce(lower((engram._opening(array_to_string(v_pieces, '')))[1]), '');
    v_before text := '';
begin
    for i in 1 .. cardinality(v_pieces) by 2 loop
        clause := v_pieces[i];
        gap    := coalesce(v_pieces[i + 1], '');
        continue when clause = '';
        key := case when octet_length(clause) = length(clause) then clause else normalize(clause, NFKC) end;
        key := btrim(regexp_replace(lower(key), '\s+', ' ', 'g'), ' .;!…。｡');
        if left(key, 2) in ('- ', '* ', '• ', '· ') then
            key := ltrim(substr(key, 2), ' ');
        end if;
        if v_before <> '' then
            -- Whose clause it is, and what a pronoun points at, is part of what it says.
            key := case when key ~ v_leans then v_before || ' ' else v_opened end || key;
        end if;
        v_before := key;
        return next;
    end loop;
end
$$;

comment on function engram._clauses(text) is
'The engram._pieces() of a text, each with the white space after it and a key: equal for clauses that say the same with other case, white space or full stop.';
