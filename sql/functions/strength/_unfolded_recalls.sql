create or replace function engram._unfolded_recalls(space bigint)
    returns table (memory_id bigint, recalls bigint, last_recalled_at timestamptz)
    language plpgsql stable strict
    set search_path from current
as $$
begin
    -- An unlogged table can't be read while a server recovers.
    if not pg_is_in_recovery() then
        return query
            select e.memory_id, count(*), max(e.recalled_at) from engram.recall_event e
             where e.tenant_id = (select engram._tenant_id_in_force()) and e.space_id = space
             group by e.memory_id;
    end if;
end
$$;

comment on function engram._unfolded_recalls is 'Recalls of a space that are not folded into memory_stat yet; none on a standby, which has no recall_event.';
