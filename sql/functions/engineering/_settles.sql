create or replace function engram._settles(space_id bigint, items text[], finished boolean[]) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_pair    record;
    v_rule    text;
    v_settles jsonb := '[]';
begin
    for v_pair in
        with recent as (
            select m.memory_id, m.metadata
              from engram.memory m
             where m.space_id = _settles.space_id and m.collection = 'engineering/handoff' and m.state = 'active'
             order by m.created_at desc, m.memory_id desc
             limit engram._setting_number('handoff.judged')
        ),
        step as (
            select s.memory_id, s.step, engram._placed(engram._step_text(s.step)) as words
              from (select distinct r.memory_id, s.step from recent r cross join lateral engram._steps(r.metadata) s) s
        ),
        item as (
            select i.item, i.finished, i.place, engram._placed(engram._step_text(i.item)) as words
              from unnest(items, finished) with ordinality as i (item, finished, place)
        )
        select s.memory_id, s.step, i.item, i.finished, w.shared / greatest(cardinality(s.words), 1)::double precision as coverage
          from step s
         cross join item i
         cross join lateral (select count(*) as shared from unnest(s.words) as t (word) where t.word = any (i.words)) w
         where engram._same_name(s.step, i.item)
            or w.shared > 0 and (w.shared * 2 >= cardinality(s.words) or w.shared = cardinality(i.words))
         order by s.memory_id, s.step, engram._same_name(s.step, i.item) desc, coverage desc, i.place
         limit 100
    loop
        continue when v_settles @> jsonb_build_array(jsonb_build_object('handoff', v_pair.memory_id, 'step', v_pair.step));
        v_rule := engram._step_rule(v_pair.step, v_pair.item, v_pair.coverage);
        continue when v_rule is null;
        v_settles := v_settles || jsonb_build_object('handoff', v_pair.memory_id, 'step', v_pair.step, 'item', v_pair.item, 'rule', v_rule,
                                                     'state', case when v_pair.finished then 'done' else 'open' end, 'at', now());
    end loop;

    return v_settles;
end
$$;

comment on function engram._settles is
'What the items of a new record say of the steps of the latest hand-offs: for each step that one of them means, done if that item is finished, else open, and the rule. Kept in the
metadata of the record, so that it goes when the record is undone.';

create or replace function engram._link_settled(space_id bigint, memory_id bigint, settles jsonb) returns void
    language sql volatile
begin atomic
    insert into engram.edge (space_id, src, relation, dst, tenant_id, weight)
    select distinct _link_settled.space_id, _link_settled.memory_id, 'settles', (s.entry -> 'handoff')::bigint, (select engram._tenant_id_in_force()), 0.5::double precision
      from jsonb_array_elements(_link_settled.settles) as s (entry)
    on conflict do nothing;
end;

comment on function engram._link_settled is 'Edges from a record to the hand-offs whose steps it says something of.';
