create or replace function engram._restore_beside(space_id bigint, memory_id bigint, beside jsonb, now_outside jsonb) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
begin
    if beside is null then
        return null;
    end if;

    perform engram._put_outside_vectors(space_id, memory_id, nullif(beside -> 'vectors', 'null'));
    return jsonb_build_object(
        'vectors', now_outside,
        'edges',   case when beside -> 'edges' <> 'null' then engram._swap_edges(space_id, beside -> 'edges') end,
        'recalls', case when beside -> 'recalls' <> 'null' then engram._swap_recalls(space_id, beside -> 'recalls') end);
end
$$;

comment on function engram._restore_beside is
'Turns back what a consolidation moved beside the memories: edges, recall counts, and vectors from outside the database. now_outside: the vectors before the text was put back. Returns what turns that back again.';
