create or replace function engram._embedding_size(model_id integer, out vectors bigint, out bytes bigint)
    language plpgsql stable
    set search_path from current
as $$
begin
    execute format('select count(*) from %s', engram._embedding_table(model_id)) into vectors;
    bytes := pg_total_relation_size(engram._embedding_table(model_id)::regclass);
end
$$;

comment on function engram._embedding_size is 'Number of vectors of a model that this session sees, and what its table takes on disk.';

create or replace view engram.embedding_progress as
    select m.name as model, m.provider, m.dims, m.active, s.vectors as done,
           j.pending, j.leased, j.failed, j.last_error, s.bytes,
           m.floor, m.link_at, m.relation_at, m.reinforce_at, m.consolidate_at, m.trusted_coverage
      from engram.embedding_model m
     cross join lateral engram._embedding_size(m.model_id) s
     cross join lateral (
         select count(*) filter (where q.failed_at is null) as pending,
                count(*) filter (where q.failed_at is null and q.leased_by is not null and q.due_at > now()) as leased,
                count(*) filter (where q.failed_at is not null) as failed,
                (array_agg(q.last_error order by q.failed_at desc nulls last) filter (where q.last_error is not null))[1] as last_error
           from engram.embedding_job q
          where q.model_id = m.model_id
            and (has_table_privilege('engram.embedding_job', 'select') or q.tenant_id = (select engram._tenant_id_in_force()))) j;

comment on view engram.embedding_progress is
'How far each embedding model is: vectors done, texts pending (leased ones among them), given up, with the last error, bytes on disk and the thresholds. Who
may not read the queue sees what waits for the tenant in force alone.';
