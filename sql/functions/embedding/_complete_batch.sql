create or replace function engram._complete_batch(
    worker         text,
    model          engram.embedding_model,
    tenant_id      integer,
    space_ids      bigint[],
    memory_ids     bigint[],
    content_hashes uuid[],
    vectors        halfvec[]
) returns integer
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_stored integer;
begin
    execute format(
        'with taken as (
             delete from engram.embedding_job j
              using unnest($1, $2, $3, $4) as i (space_id, memory_id, content_hash, vector)
              where j.space_id = i.space_id and j.memory_id = i.memory_id and j.model_id = $5 and j.content_hash = i.content_hash
                and j.leased_by = $6 and j.tenant_id = $7 and not (j.settle and $8)
             returning j.space_id, j.memory_id, j.tenant_id, j.content_hash, i.vector
         )
         insert into %s as e (space_id, memory_id, tenant_id, content_hash, embedding, indexed)
         select t.space_id, t.memory_id, t.tenant_id, t.content_hash, t.vector, coalesce(s.indexed, false)
           from taken t
          cross join lateral (select from engram.memory m
                               where m.space_id = t.space_id and m.memory_id = t.memory_id and m.content_hash = t.content_hash offset 0) m
           left join engram.space_stat s on s.space_id = t.space_id
          order by t.space_id, t.memory_id
             on conflict (space_id, memory_id) do update set content_hash = excluded.content_hash, embedding = excluded.embedding',
        engram._embedding_table(model.model_id))
        using space_ids, memory_ids, content_hashes, vectors, model.model_id, worker, tenant_id, model.active;
    get diagnostics v_stored = row_count;

    return v_stored;
end
$$;

comment on function engram._complete_batch is
'Stores the vectors of one tenant that need no second look of the write gate, in one statement, and returns how many; what went stale loses its job. The caller holds the locks of the spaces.';

revoke all on function engram._complete_batch from public;
