create or replace function engram.adopt(entries jsonb, source text, user_id text default 'default') returns jsonb
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_entry  record;
    v_place  bigint;
    v_hint   text;
    v_space  bigint;
    v_action text;
    v_counts jsonb := '{}';
    v_conflicts jsonb := '[]';
    v_problem text := case
        when jsonb_typeof(entries) is distinct from 'array' then 'entries is not a JSON array'
        when coalesce(source, '') = '' then 'source is empty'
        else engram._name_problem('source', source)
    end;
begin
    if v_problem is not null then
        raise exception using errcode = 'EG002', message = v_problem,
            hint = 'Pass [{"type": "memory", "id": "…", "content": "…", …}, …] and the name of the system it comes from.';
    end if;

    v_space := engram._open_space(adopt.user_id);
    perform pg_advisory_xact_lock(v_space);

    for v_entry in select e.value as row, e.ordinality as place from jsonb_array_elements(entries) with ordinality e loop
        v_place := v_entry.place;
        if v_entry.row ->> 'type' = 'memory' and octet_length(v_entry.row ->> 'id') between 1 and 1000 then
            v_action := engram._adopt_memory(v_space, adopt.source, adopt.user_id, v_entry.row);
        elsif v_entry.row ->> 'type' = 'edge' then
            v_action := engram._adopt_edge(v_space, adopt.source, v_entry.row);
        else
            raise exception using errcode = 'EG002', message = 'this is neither a memory with an id nor an edge',
                hint = '{"type": "memory", "id": "…", "content": "…"} or {"type": "edge", "src": "…", "dst": "…", "relation": "…"}';
        end if;
        v_counts := v_counts || jsonb_build_object(v_action, coalesce((v_counts ->> v_action)::integer, 0) + 1);
        if v_action = 'conflict' then
            v_conflicts := v_conflicts || jsonb_build_array(v_entry.row ->> 'id');
        end if;
    end loop;

    return jsonb_build_object('counts', v_counts, 'conflicts', v_conflicts);
exception when others then
    if v_place is null then
        raise;
    end if;
    get stacked diagnostics v_hint = pg_exception_hint;
    perform engram._entry_failed(v_place, sqlstate, sqlerrm, v_hint, 'adopted',
                                 'A memory has id, content and what else remember() takes, with reinforced_at, recalls and last_recalled_at.');
end
$$;

comment on function engram.adopt is
'Takes over memories of another system into the memory of one user, and edges between them; again, it adds nothing. A memory has type memory, its id there (a text), the
arguments of engram.remember(), and recalls, last_recalled_at and reinforced_at where known; an edge has type edge, src and dst (ids there), relation and weight, and comes
after its memories. The gate is left out: only what has the very same text becomes one memory. A memory whose text changed there since it came over is revised here if it did
not change here too; else it is a conflict, and stays. All or nothing: an error names the entry, counted from 1. Returns the counts of what became of the entries (new,
same_text, known, revised, conflict, edge, known_edge, edge_without_memory) and the ids of the conflicts.';
