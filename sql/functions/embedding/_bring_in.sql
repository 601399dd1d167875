create or replace function engram._bring_in(model engram.embedding_model, space_id bigint, memory_id bigint) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_most    integer;
    v_outside integer;
begin
    if memory_id % 16 <> 0 or not engram._searched(model) or not exists (select from engram.space_stat s where s.space_id = _bring_in.space_id and s.indexed) then
        return;
    end if;

    v_most := engram._setting_number('recall.unindexed');
    execute format('select count(*) from (select from %s e where e.space_id = $1 and not e.indexed limit $2 + 64) e', engram._embedding_table(model.model_id))
       into v_outside using space_id, v_most;
    if v_outside > v_most then
        perform engram._index_vectors(model, space_id, v_outside - v_most);
    end if;
end
$$;

comment on function engram._bring_in is
'The last that a write does: where a space searched by the HNSW index has more than recall.unindexed vectors outside of it, brings some in, as upkeep would, for a database whose upkeep does not keep up. Every sixteenth
memory looks. Last, because it locks rows of older memories, and one who deletes those may wait for them while holding what a link to them waits for.';
