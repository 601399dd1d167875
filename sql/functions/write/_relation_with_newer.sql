create or replace function engram._relation_with_newer(
    space_id  bigint,
    memory_id bigint,
    claims    engram.gate_claims,
    near      engram.neighborhood,
    until     timestamptz
) returns engram.relation
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_ids     bigint[];
    v_cosines double precision[];
begin
    select array_agg(n.id order by n.place), array_agg(n.cosine order by n.place)
      into v_ids, v_cosines
      from unnest(near.gate_ids, near.gate_cosines) with ordinality as n (id, cosine, place)
      join engram.memory m on m.space_id = _relation_with_newer.space_id and m.memory_id = n.id
     where m.valid_from <= until
       and (m.valid_from, m.memory_id) > (select r.valid_from, r.memory_id from engram.memory r
                                           where r.space_id = _relation_with_newer.space_id and r.memory_id = _relation_with_newer.memory_id);
    return engram._relate(claims, v_ids, engram._gate_stored(space_id, v_ids), v_cosines);
end
$$;

comment on function engram._relation_with_newer is
'What a text is to those of its neighbours that became true after one of them, and not after the text itself. Who says again what held before means it against what was said since.';
