create or replace function engram._archive(space_id bigint, ids bigint[], action text) returns jsonb
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_row       record;
    v_ids       bigint[] := '{}';
    v_decisions bigint[] := '{}';
begin
    for v_row in
        select m.memory_id, m.state
          from engram.memory m
         where m.space_id = _archive.space_id and m.memory_id = any (ids) and m.state <> 'archived'
         order by m.memory_id
           for no key update
    loop
        update engram.memory m
           set state = 'archived', updated_at = now()
         where m.space_id = _archive.space_id and m.memory_id = v_row.memory_id;

        v_ids := v_ids || v_row.memory_id;
        v_decisions := v_decisions || engram._record(
            _archive.space_id, _archive.action, v_row.memory_id,
            before => jsonb_build_object(v_row.memory_id, jsonb_build_object('state', v_row.state)));
    end loop;

    return jsonb_build_object('memories', cardinality(v_ids), 'hard', false, 'memory_ids', to_jsonb(v_ids), 'decision_ids', to_jsonb(v_decisions));
end
$$;

comment on function engram._archive is 'Takes memories out of recall, in id order, one decision each. Returns a receipt; what was archived already is not counted.';
