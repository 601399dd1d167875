create or replace function engram.unlink(
    src      bigint,
    dst      bigint,
    relation text default null,
    user_id  text default 'default'
) returns integer
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_src     engram.memory := engram.get(unlink.src, unlink.user_id);
    v_dst     engram.memory := engram.get(unlink.dst, unlink.user_id);
    v_removed integer;
begin
    delete from engram.edge e
     where e.space_id = v_src.space_id
       and e.src = v_src.memory_id and e.dst = v_dst.memory_id
       and (unlink.relation is null or e.relation = unlink.relation);
    get diagnostics v_removed = row_count;

    return v_removed;
end
$$;

comment on function engram.unlink is
'Removes the edge of that relation from src to dst, or every edge from src to dst when relation is null; returns how many there were.
Raises EG004 for a memory that this user does not have.';
