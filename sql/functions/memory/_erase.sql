create or replace function engram._erase(space_id bigint, ids bigint[], action text default 'forget') returns jsonb
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_model     engram.embedding_model;
    v_count     bigint;
    v_vectors   bigint := 0;
    v_edges     bigint;
    v_events    bigint;
    v_decisions bigint;
    v_memories  bigint;
begin
    for v_model in select * from engram.embedding_model order by model_id loop
        execute format('delete from %s e where e.space_id = $1 and e.memory_id = any ($2)', engram._embedding_table(v_model.model_id))
          using space_id, ids;
        get diagnostics v_count = row_count;
        v_vectors := v_vectors + v_count;
    end loop;

    delete from engram.edge e where e.space_id = _erase.space_id and (e.src = any (ids) or e.dst = any (ids));
    get diagnostics v_edges = row_count;

    delete from engram.recall_event r
     where r.tenant_id = (select engram._tenant_id_in_force()) and r.space_id = _erase.space_id and r.memory_id = any (ids);
    get diagnostics v_events = row_count;
    delete from engram.session_recall r where r.space_id = _erase.space_id and r.memory_id = any (ids);

    update engram.decision d
       set evidence = '{"erased": true}', before = null
     where d.space_id = _erase.space_id
       and (d.memory_id = any (ids) or d.related_id = any (ids) or d.before ?| array(select i.id::text from unnest(ids) as i (id)));
    get diagnostics v_decisions = row_count;

    update engram.memory m set superseded_by = null where m.space_id = _erase.space_id and m.superseded_by = any (ids);

    with gone as (
        delete from engram.memory m where m.space_id = _erase.space_id and m.memory_id = any (ids) returning m.memory_id
    )
    select count(engram._record(_erase.space_id, _erase.action, g.memory_id, evidence => '{"erased": true}')) into v_memories from gone g;

    return jsonb_build_object('memories', v_memories, 'hard', true, 'vectors', v_vectors, 'edges', v_edges,
                              'recall_events', v_events, 'decision_texts', v_decisions);
end
$$;

comment on function engram._erase is
'Deletes memories for good: vectors of every model, edges, recall events, lexeme keys, counts, and the texts that decisions kept. The decisions
stay as a bare trace without a text. Returns a receipt with the number of rows of each.';
