create or replace function engram._near_members(
    space_id     bigint,
    memory_id    bigint,
    model        engram.embedding_model,
    across_kinds boolean,
    exact        boolean,
    out members  engram.memory[],
    out cosines  double precision[]
)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_memory engram.memory;
    v_vector halfvec;
begin
    select * into v_memory from engram.memory m where m.space_id = _near_members.space_id and m.memory_id = _near_members.memory_id;
    execute format('select e.embedding from %s e where e.space_id = $1 and e.memory_id = $2', engram._embedding_table(model.model_id))
       into v_vector using space_id, memory_id;

    select array_agg(x.m order by (x.m).importance desc, x.recalls desc, (x.m).memory_id),
           array_agg(x.cosine order by (x.m).importance desc, x.recalls desc, (x.m).memory_id)
      into members, cosines
      from (
          select r.m, n.cosine, coalesce(s.recalls, 0) as recalls
            from engram._nearest(_near_members.space_id, model, v_vector,
                     row(case when not across_kinds then array[v_memory.kind] end, null, array[v_memory.collection], null, null, null, null, null),
                     exact, engram._setting_number('consolidate.members')::integer) n
           cross join lateral (select m from engram.memory m
                                where m.space_id = _near_members.space_id and m.memory_id = n.memory_id offset 0) r
            left join engram.memory_stat s on s.space_id = _near_members.space_id and s.memory_id = n.memory_id
           where n.cosine >= model.consolidate_at and not (r.m).pinned
      ) x;
end
$$;

comment on function engram._near_members is
'A memory and those near to it by its model, at most the setting consolidate.members, the most important first, then the most recalled, then the oldest; with their cosines. Of its collection and, unless across_kinds, its kind;
current, and not pinned.';
