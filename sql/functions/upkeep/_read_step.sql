create or replace function engram._read_step(state jsonb, batch integer) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_lexicon integer := engram._setting_number('gate.lexicon');
    v_space   bigint  := coalesce((state ->> 'space_id')::bigint, -9223372036854775808);
    v_after   bigint  := coalesce((state ->> 'memory_id')::bigint, 0);
    v_ids     bigint[];
    v_read    bigint[];
    v_hashes  uuid[];
    v_claims  engram.gate_claims[];
    v_rows    bigint  := 0;
begin
    for v_space, v_ids in
        select u.space_id, array_agg(u.memory_id order by u.memory_id)
          from (select m.space_id, m.memory_id
                  from engram.space s
                 cross join lateral (
                     select m.space_id, m.memory_id
                       from engram.memory m
                      where m.space_id = s.space_id
                        and (m.space_id, m.memory_id) > (v_space, v_after)
                        and m.state = 'active'
                        and not exists (select from engram.memory_claims c
                                         where c.space_id = m.space_id and c.memory_id = m.memory_id and c.lexicon = v_lexicon)
                      order by m.memory_id
                      limit batch) m
                 where s.tenant_id = (select engram._tenant_id_in_force()) and s.space_id >= v_space
                 order by m.space_id, m.memory_id
                 limit batch) u
         group by u.space_id
         order by u.space_id
    loop
        -- Read without a lock, which takes long, and kept under that of the space, unless a writer has it, whose gate may be keeping the same ones in another order.
        select array_agg(m.memory_id order by m.memory_id), array_agg(m.content_hash order by m.memory_id),
               array_agg(engram._claims(m.content) order by m.memory_id)
          into v_read, v_hashes, v_claims
          from engram.memory m
         where m.space_id = v_space and m.memory_id = any (v_ids);
        if pg_try_advisory_xact_lock(v_space) then
            insert into engram.memory_claims (space_id, memory_id, tenant_id, lexicon, claims)
            select m.space_id, m.memory_id, m.tenant_id, v_lexicon, v_claims[m.n]
              from (select m.space_id, m.memory_id, m.tenant_id, r.n
                      from unnest(v_read, v_hashes) with ordinality as r (id, hash, n)
                      join engram.memory m on m.space_id = v_space and m.memory_id = r.id and m.content_hash = r.hash
                     order by m.memory_id
                       for key share of m skip locked) m
                on conflict on constraint memory_claims_pkey do update
               set lexicon = excluded.lexicon, claims = excluded.claims;
        end if;
        v_after := v_ids[cardinality(v_ids)];
        v_rows  := v_rows + cardinality(v_ids);
    end loop;

    return jsonb_build_object('rows', v_rows, 'done', v_rows < batch, 'state', jsonb_build_object('space_id', v_space, 'memory_id', v_after));
end
$$;

comment on function engram._read_step is
'Reads out of up to batch memories of the tenant in force what the write gate compares: of those that came in past it, and of all once the lexicon has changed. Else the first write near to them would. What a writer is at is left to the next run.';

revoke all on function engram._read_step from public;
