create or replace function engram._index_vectors(model engram.embedding_model, space_id bigint, most bigint) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_indexed bigint;
begin
    execute format(
        'update %1$s e set indexed = true
          where e.space_id = $1 and e.memory_id = any (array(
                select w.memory_id from %1$s w where w.space_id = $1 and not w.indexed order by w.memory_id limit $2 for update skip locked))',
        engram._embedding_table(model.model_id))
        using space_id, most;
    get diagnostics v_indexed = row_count;
    return v_indexed;
end
$$;

comment on function engram._index_vectors is
'Puts up to so many vectors of a space into the HNSW index of their model, those of the oldest memories first, and returns how many. What another transaction is at stays for the next time.';
