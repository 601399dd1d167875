create or replace function engram._merged_text(texts text[], max_bytes integer) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    v_clause record;
    v_base   bigint;      -- the text that gives the lines
    v_lines  boolean := false;
    v_next   bigint[];    -- the clause that comes after each one; that of the first place is element 0
    v_last   bigint  := 0;
    v_place  bigint  := 0;
    v_text   bigint;
    v_merged text    := '';
    v_cjk    constant text := '[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]$';
    v_all    text[];
    v_gaps   text[];
begin
    for v_clause in
        select c.id, c.text, c.clause, c.gap, min(c.id) over (partition by c.key) as first
          from (
              select row_number() over (order by t.n, k.ordinality) as id, t.n as text, k.clause, k.gap, k.key
                from unnest(texts) with ordinality as t (content, n)
               cross join lateral engram._clauses(t.content) with ordinality as k
          ) c
         order by c.id
    loop
        v_all[v_clause.id]  := v_clause.clause;
        v_gaps[v_clause.id] := v_clause.gap;
        v_base  := coalesce(v_base, v_clause.text);
        v_lines := v_lines or v_clause.text = v_base and strpos(v_clause.clause || v_clause.gap, E'\n') > 0;
        if v_text is distinct from v_clause.text then
            v_text  := v_clause.text;
            v_place := v_last;
        end if;
        if v_clause.first = v_clause.id then
            -- After the clause that it followed, so that what it leans on stays before it.
            v_next[v_clause.id] := v_next[v_place];
            v_next[v_place]     := v_clause.id;
            v_last              := case when v_next[v_clause.id] is null then v_clause.id else v_last end;
        end if;
        v_place := v_clause.first;
    end loop;

    v_place := v_next[0];
    while v_place is not null and octet_length(v_merged) <= max_bytes loop
        v_merged := v_merged || v_all[v_place];
        if v_next[v_place] is not null then
            v_merged := v_merged || case
                when v_gaps[v_place] ~ '\n' or v_all[v_place] ~ '[。｡！？；][」』”’）)]*$' then v_gaps[v_place]
                when v_all[v_place] ~ '[[:punct:]，、…」』）”’]$' then coalesce(nullif(v_gaps[v_place], ''), case when v_lines then E'\n' else ' ' end)
                when v_lines then E'\n'
                when v_all[v_place] ~ v_cjk then '。'
                else '. '
            end;
        end if;
        v_place := v_next[v_place];
    end loop;
    return case when v_merged <> '' and octet_length(v_merged) <= max_bytes then v_merged end;
end
$$;

comment on function engram._merged_text(text[], integer) is
'One text that says what all of them say: every clause once, as it was first written, the clauses of each in their order; what a later text adds stands after the clause that it
followed there. No clause is shortened or reworded. Null where it would be longer than max_bytes, or where there is no text.';
