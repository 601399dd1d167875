create or replace view engram.judgement_progress as
    select count(*) filter (where j.failed_at is null) as pending,
           count(*) filter (where j.failed_at is null and j.leased_by is not null and j.due_at > now()) as leased,
           count(*) filter (where j.failed_at is not null) as failed,
           (array_agg(j.last_error order by j.failed_at desc nulls last) filter (where j.last_error is not null))[1] as last_error
      from engram.judgement_job j
     where has_table_privilege('engram.judgement_job', 'select') or j.tenant_id = (select engram._tenant_id_in_force());

comment on view engram.judgement_progress is
'How many decisions in doubt wait for a language model, leased ones among them, how many were given up, and the last error. Who may not read the queue sees those of the tenant in force alone.';
