create or replace function engram.import(entries jsonb, user_id text default null) returns jsonb
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_entry    record;
    v_place    bigint;
    v_hint     text;
    v_space    bigint;
    v_memories integer := 0;
    v_others   integer := 0;
    v_most     bigint[] := '{0,0}';
begin
    if jsonb_typeof(entries) is distinct from 'array' then
        raise exception using errcode = 'EG002', message = 'entries is not a JSON array', hint = 'Pass the rows of engram.export() as one array.';
    end if;

    for v_entry in select e.value as row, e.ordinality as place from jsonb_array_elements(entries) with ordinality e loop
        v_place := v_entry.place;
        if v_entry.row ->> 'engram_export' is distinct from '1' then
            raise exception using errcode = 'EG002', message = 'this is no row of engram.export()',
                hint = 'engram.remember_many() takes memories in plain form.';
        end if;

        v_space := engram._open_space(coalesce(import.user_id, v_entry.row ->> 'user_id', 'default'));
        case v_entry.row ->> 'type'
            when 'memory' then
                v_memories := v_memories + engram._import_memory(v_space, v_entry.row)::integer;
                v_most[1] := greatest(v_most[1], (v_entry.row ->> 'memory_id')::bigint);
            when 'edge' then
                insert into engram.edge (space_id, tenant_id, src, relation, dst, weight, created_at)
                select v_space, (select engram._tenant_id_in_force()), e.src, e.relation, e.dst, e.weight, e.created_at
                  from jsonb_populate_record(null::engram.edge, v_entry.row) e
                on conflict do nothing;
                v_others := v_others + 1;
            when 'decision' then
                insert into engram.decision (space_id, decision_id, tenant_id, decided_at, action, memory_id, related_id, similarity, evidence, before, actor, undone_at)
                select v_space, engram._checked_id(d.decision_id), (select engram._tenant_id_in_force()), d.decided_at, d.action, d.memory_id, d.related_id, d.similarity,
                       d.evidence, d.before, d.actor, d.undone_at
                  from jsonb_populate_record(null::engram.decision, v_entry.row) d
                on conflict do nothing;
                v_others := v_others + 1;
                v_most[2] := greatest(v_most[2], (v_entry.row ->> 'decision_id')::bigint);
            when 'origin' then
                insert into engram.origin (space_id, source, source_id, tenant_id, memory_id, content_hash, adopted_at)
                select v_space, o.source, o.source_id, (select engram._tenant_id_in_force()), o.memory_id, o.content_hash, o.adopted_at
                  from jsonb_populate_record(null::engram.origin, v_entry.row) o
                on conflict do nothing;
                v_others := v_others + 1;
            else
                raise exception using errcode = 'EG002', message = format('the type %L is unknown', v_entry.row ->> 'type'),
                    hint = 'This export may come from a newer version.';
        end case;
    end loop;

    v_place := null;
    perform engram._advance_ids(v_most[1], v_most[2]);
    return jsonb_build_object('memories', v_memories, 'edges_and_decisions', v_others);
exception when others then
    if v_place is null then
        raise;
    end if;
    get stacked diagnostics v_hint = pg_exception_hint;
    perform engram._entry_failed(v_place, sqlstate, sqlerrm, v_hint, 'imported',
                                 'Pass the rows of engram.export() as they are, memories before what refers to them.');
end
$$;

comment on function engram.import is
'Writes rows of engram.export() as they were, with their ids, times, states and recalls, into the space of the user they name or of user_id. What is there already,
with the same id and text, is left; the same id with another text is an error. Memories come before what refers to them.
All or nothing: an error names the entry, counted from 1. Returns how many were new.';
