create or replace function engram._checked_recall(
    query     text,
    k         integer,
    profile   text,
    kinds     text[],
    metadata  jsonb,
    since     timestamptz,
    until     timestamptz,
    min_score double precision
) returns engram.scoring_profile
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    v_profile engram.scoring_profile;
    v_problem text := case
        when query is null then 'query is null'
        when k is null or k not between 1 and 1000 then format('k is %s; it must be 1 to 1000', coalesce(k::text, 'null'))
        when since >= until then 'since is not before until'
        when jsonb_typeof(metadata) <> 'object' then format('the metadata filter is a JSON %s, not an object', jsonb_typeof(metadata))
        when min_score = 'NaN' then 'min_score is NaN'
    end;
begin
    if v_problem is not null then
        raise exception using
            errcode = 'EG002',
            message = v_problem,
            hint    = case when query is null then 'Pass the question, or key words, as a text.'
                           else 'k is 1 to 1000, metadata a JSON object, since is before until; leave out what is not needed.' end;
    end if;

    perform engram._known_kind(n.kind) from unnest(kinds) as n (kind);

    select * into v_profile from engram.scoring_profile p where p.profile = _checked_recall.profile;
    if not found then
        raise exception using
            errcode = 'EG003',
            message = format('scoring profile %L does not exist', profile),
            hint    = format('Use one of: %s.', (select string_agg(p.profile, ', ' order by p.profile) from engram.scoring_profile p));
    end if;

    return v_profile;
end
$$;

comment on function engram._checked_recall is 'The scoring profile of a recall, once every argument is found good. Raises EG002 or EG003.';
