create or replace function engram._link_new(
    space_id  bigint,
    memory_id bigint,
    near_ids  bigint[],
    cosines   double precision[],
    link_at   double precision,
    relation  text,
    related   bigint
) returns void
    language plpgsql volatile
    set search_path from current
as $$
begin
    insert into engram.edge (space_id, src, relation, dst, tenant_id, weight)
    select _link_new.space_id, _link_new.memory_id, l.relation, l.dst, (select engram._tenant_id_in_force()), l.weight
      from (
          (select 'similar' as relation, n.id as dst, least(n.cosine, 1) as weight
             from unnest(near_ids, cosines) as n (id, cosine)
            where n.cosine >= link_at
            order by n.cosine desc, n.id
            limit engram._setting_number('remember.links'))
          union all
          select _link_new.relation, related, 1.0
           where _link_new.relation is not null
      ) l
    on conflict do nothing;
end
$$;

comment on function engram._link_new is
'Edges of a new memory: similar to its nearest above the model''s link_at, and the relation that the gate found, if any.';
