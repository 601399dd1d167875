create or replace function engram._in_doubt(space_id bigint, decision_id bigint) returns boolean
    language sql stable
begin atomic
    select exists (
        select from engram.judgement_job j
          join engram.decision d on d.space_id = j.space_id and d.decision_id = j.decision_id and d.undone_at is null
          join engram.memory n on n.space_id = j.space_id and n.memory_id = j.incoming_id
           and n.state = 'active' and n.updated_at = j.incoming_at and n.content_hash = j.incoming_hash
          join engram.memory o on o.space_id = j.space_id and o.memory_id = j.existing_id
           and o.state = case d.action when 'replace' then 'retired' else 'active' end
           and o.updated_at = j.existing_at and o.content_hash = j.existing_hash
         where j.space_id = _in_doubt.space_id and j.decision_id = _in_doubt.decision_id);
end;

comment on function engram._in_doubt is 'Whether a queued decision is in force and neither of its memories has changed since.';

revoke all on function engram._in_doubt from public;
