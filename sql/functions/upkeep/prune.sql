create or replace function engram.prune(user_id text default 'default', dry_run boolean default false) returns setof engram.prune_row
    language plpgsql volatile
    rows 10
    set search_path from current
    set jit = off
as $$
declare
    v_space  bigint := engram._space_of(prune.user_id);
    v_faded  jsonb;
    v_pruned jsonb := '{}';
begin
    if not dry_run then
        perform pg_advisory_xact_lock(v_space);
    end if;

    select coalesce(jsonb_agg(to_jsonb(f)), '[]') into v_faded from engram._faded(v_space) f;
    if not dry_run then
        select coalesce(jsonb_object_agg(p.memory_id, p.decision_id), '{}') into v_pruned from engram._prune_space(v_space) p;
    end if;

    return query
        select f.memory_id, m.content, m.kind, f.strength,
               case when dry_run then f.rule = 'faded' else v_pruned ? f.memory_id::text end,
               f.rule, engram._prune_reason(f.rule, f.strength, f.protected_by, f.protector_strength, m.valid_from),
               f.protected_by, f.protector_strength, (v_pruned ->> f.memory_id::text)::bigint
          from jsonb_to_recordset(v_faded) as f (memory_id bigint, strength double precision, rule text,
                                                 protected_by bigint, protector_strength double precision)
          join engram.memory m on m.space_id = v_space and m.memory_id = f.memory_id
         order by f.strength, f.memory_id;
end
$$;

comment on function engram.prune is
'Archives the memories of a user that have faded: strength below the setting prune.below, and no neighbour over an edge, in either direction, that is pinned or as strong as the setting
prune.strong. Returns a row for each memory below the line, weakest first: gone says whether it was archived, rule and reason why or why not, protected_by which memory keeps it. Pinned memories
never go, nor what was recalled since the last fold, what is not true yet, or what somebody brought back from a prune before. dry_run: says what would go and changes nothing.
engram.undo(decision_id) brings a memory back. Nothing is deleted: see purge().';

create or replace function engram._prune_reason(
    rule               text,
    strength           double precision,
    protected_by       bigint,
    protector_strength double precision,
    valid_from         timestamptz
) returns text
    language sql stable
begin atomic
    select case _prune_reason.rule
        when 'faded'    then format('strength %s is below %s, and no strong neighbour protects it',
                                    round(_prune_reason.strength::numeric, 4), engram._setting_number('prune.below'))
        when 'pinned'   then 'it is pinned'
        when 'not_yet'  then format('it is true only from %s', _prune_reason.valid_from)
        when 'recalled' then 'it was recalled since maintain() last counted recalls'
        when 'restored' then 'a prune of it was undone'
        when 'neighbor' then format('memory %s, of strength %s, protects it', _prune_reason.protected_by, round(_prune_reason.protector_strength::numeric, 4))
    end;
end;

comment on function engram._prune_reason is 'Why prune() archives a memory or keeps it, in words.';
