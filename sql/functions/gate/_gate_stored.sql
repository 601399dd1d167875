create or replace function engram._gate_stored(space_id bigint, ids bigint[]) returns engram.gate_claims[]
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_lexicon integer := engram._setting_number('gate.lexicon');
    v_claims  engram.gate_claims[];
    v_fresh   boolean;
begin
    for v_turn in 1 .. 2 loop
        select array_agg(c.claims order by i.n), bool_and(c.lexicon is not distinct from v_lexicon)
          into v_claims, v_fresh
          from unnest(ids) with ordinality as i (id, n)
          left join lateral (select k.lexicon, k.claims from engram.memory_claims k
                              where k.space_id = _gate_stored.space_id and k.memory_id = i.id offset 0) c on true;
        exit when v_fresh is not false or v_turn = 2;

        insert into engram.memory_claims (space_id, memory_id, tenant_id, lexicon, claims)
        select m.space_id, m.memory_id, m.tenant_id, (r.claims).lexicon, r.claims
          from (
              select m.*
                from engram.memory m
               where m.space_id = _gate_stored.space_id and m.memory_id = any (ids)
                 and not exists (select from engram.memory_claims c
                                  where c.space_id = m.space_id and c.memory_id = m.memory_id and c.lexicon = v_lexicon)
               order by m.memory_id
                 for key share of m skip locked   -- what is being deleted is no candidate any more
          ) m
         cross join lateral (select engram._claims(m.content) as claims offset 0) r
            on conflict on constraint memory_claims_pkey do update
           set lexicon = excluded.lexicon, claims = excluded.claims;
    end loop;
    return v_claims;
end
$$;

comment on function engram._gate_stored(bigint, bigint[]) is
'What was read out of memories, in the order of their ids. What is missing or of another lexicon is read and kept first. Null for a memory that is being deleted.';
