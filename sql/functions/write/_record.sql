create or replace function engram._record(
    space_id   bigint,
    action     text,
    memory_id  bigint,
    related_id bigint default null,
    similarity double precision default null,
    evidence   jsonb default '{}',
    before     jsonb default null
) returns bigint
    language sql volatile
begin atomic
    insert into engram.decision (space_id, tenant_id, action, memory_id, related_id, similarity, evidence, before)
    values (_record.space_id, engram._tenant_id_in_force(), _record.action, _record.memory_id, _record.related_id,
            _record.similarity, coalesce(_record.evidence, '{}'), _record.before)
    returning decision_id;
end;

comment on function engram._record is 'Writes a row of engram.decision and returns its id.';
