create or replace function engram.note_recall(memory_ids bigint[], user_id text default 'default', session_id text default null) returns integer
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space bigint := engram._space_of(user_id);
    v_count integer;
begin
    perform engram._checked_session(note_recall.session_id);

    if current_setting('transaction_read_only') = 'on' or not has_table_privilege('engram.recall_event', 'insert') then
        return 0;
    end if;

    insert into engram.recall_event (space_id, memory_id, tenant_id, session_id)
    select m.space_id, m.memory_id, m.tenant_id, nullif(note_recall.session_id, '')
      from engram.memory m
     where m.space_id = v_space and m.memory_id = any (note_recall.memory_ids);
    get diagnostics v_count = row_count;

    return v_count;
end
$$;

comment on function engram.note_recall is
'Notes that memories of a user were recalled, as recall() does for what it returns; for a caller who ranks the hits of search() anew and keeps some. session_id: as in recall(). Returns how many
were noted: ids that are not there are passed over, and in a read-only transaction nothing is noted.';
