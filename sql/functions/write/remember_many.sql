create or replace function engram.remember_many(
    memories jsonb,
    user_id  text default 'default',
    policy   text default null
) returns table (
    "position"  integer,
    memory_id   bigint,
    action      text,
    related_id  bigint,
    similarity  double precision,
    evidence    jsonb,
    decision_id bigint
)
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
    set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    v_entry record;
    v_place bigint;
    v_draft engram.draft;
    v_hint  text;
begin
    if jsonb_typeof(memories) is distinct from 'array' then
        raise exception using
            errcode = 'EG002',
            message = 'memories is not a JSON array',
            hint    = 'Pass [{"content": "…", …}, …]; the other keys are those that remember() takes.';
    end if;

    perform engram._enter_spaces(memories, remember_many.user_id, locking => exists (
        select from jsonb_array_elements(memories) as e (entry)
         where engram._write_policy(coalesce(case when jsonb_typeof(e.entry) = 'object' then e.entry ->> 'kind' end, 'fact'), policy) <> 'append'));

    for v_entry in select e.value, e.ordinality from jsonb_array_elements(memories) with ordinality e
    loop
        v_place := v_entry.ordinality;
        v_draft := engram._draft_of(v_entry.value);
        "position" := v_place;
        select r.memory_id, r.action, r.related_id, r.similarity, r.evidence, r.decision_id
          into memory_id, action, related_id, similarity, evidence, decision_id
          from engram._remember(coalesce(v_entry.value ->> 'user_id', remember_many.user_id), v_draft, policy) r;
        return next;
    end loop;
exception when others then
    if v_place is null then
        raise;
    end if;
    get stacked diagnostics v_hint = pg_exception_hint;
    perform engram._entry_failed(v_place, sqlstate, sqlerrm, v_hint, 'remembered',
                                 'An entry has content and what else remember() takes.');
end
$$;

comment on function engram.remember_many is
'remember() for a JSON array of objects whose keys are the arguments of remember() except policy; user_id holds where an entry names none. Each
sees the ones before it. All or nothing: an error names the entry, counted from 1.';
