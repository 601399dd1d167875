create or replace function engram._check_judge() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
begin
    if not has_table_privilege('engram.judgement_job', 'select') or engram._setting_number('judge.enabled') = 0 then
        return;
    end if;

    return query
        select 'judgement queue',
               case when q.failed > 0 or q.overdue > 0 then 'warning' else 'ok' end,
               format('%s decisions in doubt wait, %s of them for over an hour; %s were given up%s',
                      q.pending, q.overdue, q.failed, coalesce(': ' || q.last_error, '')),
               case when q.failed > 0 then 'SELECT engram.retry_judgements();' else 'Run: engram-pg worker --judge MODEL' end
          from (
              select count(*) filter (where j.failed_at is null) as pending,
                     count(*) filter (where j.failed_at is null and j.due_at < now() - interval '1 hour') as overdue,
                     count(*) filter (where j.failed_at is not null) as failed,
                     (array_agg(j.last_error order by j.failed_at desc) filter (where j.failed_at is not null))[1] as last_error
                from engram.judgement_job j) q;
end
$$;

comment on function engram._check_judge is 'doctor(): decisions in doubt that wait too long for a language model or were given up. Only while the judge is enabled, and for those who may read the queue.';
