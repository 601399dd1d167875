create or replace function engram._clauses(content text, out clause text, out gap text, out key text) returns setof record
    language plpgsql immutable strict parallel safe
    set search_path from current
as $$
declare
    -- A stop that ends nothing: an initial, an abbreviation, a German ordinal, the number of an item of a list. Found first and put aside,
    -- for to look behind each stop takes seven times as long.
    v_held   constant text := '(?i)(\m(?:[[:alpha:]]|dr|mr|mrs|ms|prof|st|jr|sr|inc|ltd|corp|co|vs|approx|no|nr|fig|bzw|usw|ca|ggf|bspw|evtl|inkl|str|mme|mlle|sra|srta|av|núm'
        '|(?:am|der|den|dem|des|die|das|vom|zum|bis|ab|im|seit|und|beim)\s+\d{1,2})|(?:^|\n)\s*\d{1,3})\.'
        '|\.(?=\s+(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\M)';
    v_leans  constant text := '^(?:(?:he|she|it|they|this|that|these|those|er|sie|es|das|dies|dieser|diese|él|ella|ellos|ellas|eso|esto|il|elle|ils|elles|cela|ça)\M'
        '|[他她它这那]|彼|それ|これ|その|この)';
    v_body   text := btrim(translate(content, E'\x1e\x1f', '  '), E' \t\r\n\u3000');
    v_opened text := coalesce(lower((engram._opening(v_body))[1]), '');
    v_before text := '';
    v_pieces text[];
begin
    -- What is inside a block of code repeats lines that belong where they are.
    if strpos(v_body, '```') = 0 then
        v_body := translate(
            regexp_replace(regexp_replace(v_body, v_held, E'\\1\x1f', 'g'),
                           '([。！？；｡]+[」』”’）)]*|[.!?;]["”’)\]]*(?=\s+\S))(\s*)|(\s*\n\s*)', E'\\1\x1e\\2\\3\x1e', 'g'),
            E'\x1f', '.');
    end if;
    v_pieces := string_to_array(v_body, E'\x1e');

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
'The sentences, lines and parts between semicolons of a text in order, each with the white space after it and a key: equal for clauses that say the same with other
case, white space or full stop. Commas split nothing. A text with a block of code is one clause.';
