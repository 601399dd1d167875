create or replace function engram._check_queue() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
begin
    if not has_table_privilege('engram.embedding_job', 'select') then
        return;
    end if;

    return query
        select 'embedding queue',
               case when q.failed > 0 or q.overdue > 0 then 'warning' else 'ok' end,
               format('%s texts wait, %s of them for over an hour; %s were given up%s',
                      q.pending, q.overdue, q.failed, coalesce(': ' || q.last_error, '')),
               case when q.failed > 0 then format('SELECT engram.retry_embeddings(%L);', q.model) else 'Run: engram-pg worker' end
          from (
              select count(*) filter (where j.failed_at is null) as pending,
                     count(*) filter (where j.failed_at is null and j.due_at < now() - interval '1 hour') as overdue,
                     count(*) filter (where j.failed_at is not null) as failed,
                     (array_agg(j.last_error order by j.failed_at desc) filter (where j.failed_at is not null))[1] as last_error,
                     (array_agg(m.name order by j.failed_at desc) filter (where j.failed_at is not null))[1] as model
                from engram.embedding_job j
                join engram.embedding_model m using (model_id)) q;
end
$$;

comment on function engram._check_queue is 'doctor(): texts that wait too long for a worker or were given up. Only for those who may read the queue.';
