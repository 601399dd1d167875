create or replace function engram.last_handoff(user_id text default 'default', task_id bigint default null) returns jsonb
    language plpgsql stable
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_handoff engram.memory := engram._newest_handoff(engram._space_of(last_handoff.user_id), task_id => last_handoff.task_id);
begin
    if v_handoff.memory_id is null then
        return null;
    end if;

    return (v_handoff.metadata - '{type,settles}'::text[])
        || jsonb_build_object('memory_id', v_handoff.memory_id, 'created_at', v_handoff.created_at, 'session_id', v_handoff.session_id,
                              'steps', engram._judged_steps(v_handoff));
end
$$;

comment on function engram.last_handoff is
'The newest hand-off of a user, or of a task, as JSON: memory_id, created_at, session_id, summary, completed, in_progress, blocked, next_steps, and steps: each step of these last three
lists with its state, done or open, and, where a later record says something of it, by (that memory), item, rule and at. Null when there is none.';
