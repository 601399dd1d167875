create or replace function engram.export(user_id text default 'default') returns setof jsonb
    language plpgsql stable
    rows 1000
    set search_path from current
    set jit = off
as $$
declare
    v_space bigint := engram._space_of(export.user_id);
begin
    return query
        select jsonb_build_object('engram_export', 1, 'type', 'memory', 'user_id', export.user_id)
            || (to_jsonb(m) - '{space_id,tenant_id,content_hash,lexemes}'::text[])
            || jsonb_build_object('recalls', least(coalesce(s.recalls, 0) + coalesce(r.recalls, 0), 2147483647),
                                  'last_recalled_at', greatest(s.last_recalled_at, r.last_recalled_at))
          from engram.memory m
          left join engram.memory_stat s using (space_id, memory_id)
          left join engram._unfolded_recalls(v_space) r on r.memory_id = m.memory_id
         where m.space_id = v_space
         order by m.memory_id;

    return query
        select jsonb_build_object('engram_export', 1, 'type', 'edge', 'user_id', export.user_id) || (to_jsonb(e) - '{space_id,tenant_id}'::text[])
          from engram.edge e
         where e.space_id = v_space
         order by e.src, e.relation, e.dst;

    return query
        select jsonb_build_object('engram_export', 1, 'type', 'decision', 'user_id', export.user_id) || (to_jsonb(d) - '{space_id,tenant_id}'::text[])
          from engram.decision d
         where d.space_id = v_space
         order by d.decision_id;

    return query
        select jsonb_build_object('engram_export', 1, 'type', 'origin', 'user_id', export.user_id) || (to_jsonb(o) - '{space_id,tenant_id}'::text[])
          from engram.origin o
         where o.space_id = v_space
         order by o.source, o.source_id;
end
$$;

comment on function engram.export is
'The whole memory of a user as JSON objects, one a row: memories in every state with their recalls, edges, decisions, and what adopt() took over. engram.import() of these in an empty
space gives the same memory, with the same ids. Vectors are not exported; they are made again from the texts.';
