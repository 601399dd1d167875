create or replace function engram._candidate_ids(space_id bigint, near bigint[], lexical bigint[], sample bigint[]) returns bigint[]
    language plpgsql stable
    set search_path from current
as $$
declare
    v_seeds integer := engram._setting_number('recall.seeds');
begin
    return array(
        select f.id from unnest(near || lexical || sample) as f (id)
        union
        select x.memory_id
          from engram._expand(space_id, near[1:v_seeds] || lexical[1:v_seeds], 2, engram._setting_number('recall.fan_out')::integer) x
        union
        select b.beside from engram._turns_beside(space_id, near || lexical) b);
end
$$;

comment on function engram._candidate_ids is
'The candidates of a recall in a space too large to scan: the nearest and the best by BM25 (best first), what the graph reaches from the best of
both, the turns before and after in their sessions, and a sample of all, without which meaning would be scaled by those alone that are near; null where all were compared.';
