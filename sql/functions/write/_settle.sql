create or replace function engram._settle(memory engram.memory, model engram.embedding_model, vector halfvec) returns boolean
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_near    engram.neighborhood;
    v_changed boolean := false;
    v_pair    record;
begin
    v_near := engram._neighborhood(memory.space_id, engram._as_draft(memory), model, vector);

    -- Of each pair the later one is the incoming text. Those whose vector came first could not see this memory.
    for v_pair in
        select n.cosine, greatest(m.memory_id, memory.memory_id) as incoming, least(m.memory_id, memory.memory_id) as existing
          from unnest(v_near.gate_ids, v_near.gate_cosines) with ordinality as n (id, cosine, place)
          join engram.memory m on m.space_id = memory.space_id and m.memory_id = n.id
         where n.id <> memory.memory_id
         order by n.place
    loop
        v_changed := engram._settle_pair(memory.space_id, v_pair.incoming, v_pair.existing, v_pair.cosine) or v_changed;
    end loop;

    return v_changed;
end
$$;

comment on function engram._settle is
'The write gate for a memory whose vector came after it was written: compares it with its nearest ones by the model and acts as the gate would have. Whether anything changed.';
