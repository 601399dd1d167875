create or replace function engram._eligible(
    state       text,
    valid_from  timestamptz,
    valid_until timestamptz,
    expires_at  timestamptz,
    kind        text,
    tags        text[],
    collection  text,
    metadata    jsonb,
    created_at  timestamptz,
    filter      engram.memory_filter
) returns boolean
    language sql stable parallel safe
begin atomic
    select case
               when (_eligible.filter).during is not null
               then _eligible.state = 'active'
                -- The overlap of two half-open ranges, spelled out: the planner has no statistics for a range made of two columns.
                and not isempty((_eligible.filter).during)
                and (upper((_eligible.filter).during) is null or _eligible.valid_from < upper((_eligible.filter).during))
                and (_eligible.valid_until is null
                     or _eligible.valid_until > _eligible.valid_from
                    and (lower((_eligible.filter).during) is null or _eligible.valid_until > lower((_eligible.filter).during)))
                and (_eligible.expires_at is null or _eligible.expires_at > statement_timestamp())
               when (_eligible.filter).as_of is null
               then _eligible.state = 'active'
                and _eligible.valid_from <= statement_timestamp()
                and (_eligible.valid_until is null or _eligible.valid_until > statement_timestamp())
                and (_eligible.expires_at is null or _eligible.expires_at > statement_timestamp())
               else _eligible.state <> 'archived'
                and _eligible.valid_from <= (_eligible.filter).as_of
                and (_eligible.valid_until is null or _eligible.valid_until > (_eligible.filter).as_of)
           end
       and ((_eligible.filter).kinds is null or _eligible.kind = any ((_eligible.filter).kinds))
       and ((_eligible.filter).tags is null or _eligible.tags && (_eligible.filter).tags)
       and ((_eligible.filter).collections is null or _eligible.collection = any ((_eligible.filter).collections))
       and ((_eligible.filter).metadata is null or _eligible.metadata @> (_eligible.filter).metadata)
       and ((_eligible.filter).since is null or _eligible.created_at >= (_eligible.filter).since)
       and ((_eligible.filter).until is null or _eligible.created_at < (_eligible.filter).until);
end;

comment on function engram._eligible is
'Whether a memory may be recalled under a filter: current at the start of the statement, or true at filter.as_of or in filter.during, and within
every other field. Inlined into each leg, so that a filter never comes after a cut.';
