create or replace function engram._read_step(state jsonb, batch integer) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_lexicon integer := engram._setting_number('gate.lexicon');
    v_space   bigint  := coalesce((state ->> 'space_id')::bigint, -9223372036854775808);
    v_after   bigint  := coalesce((state ->> 'memory_id')::bigint, 0);
    v_ids     bigint[];
begin
    select max(m.space_id), array_agg(m.memory_id order by m.memory_id)
      into v_space, v_ids
      from (select m.space_id, m.memory_id
              from engram.memory m
             where (m.space_id, m.memory_id) > (v_space, v_after)
               and m.state = 'active'
               and m.tenant_id = engram._tenant_id_in_force()
               and not exists (select from engram.memory_claims c
                                where c.space_id = m.space_id and c.memory_id = m.memory_id and c.lexicon = v_lexicon)
             order by m.space_id, m.memory_id
             limit batch) m
     group by m.space_id
     order by m.space_id
     limit 1;

    perform engram._gate_stored(v_space, v_ids);
    return jsonb_build_object('rows', coalesce(cardinality(v_ids), 0), 'done', v_ids is null,
                              'state', jsonb_build_object('space_id', v_space, 'memory_id', v_ids[cardinality(v_ids)]));
end
$$;

comment on function engram._read_step is
'Reads out of up to batch memories of one space what the write gate compares: of those that came in past it, and of all once the lexicon has changed. Else the first write near to them would.';

revoke all on function engram._read_step from public;
