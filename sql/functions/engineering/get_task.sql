create or replace function engram.get_task(task_id bigint, user_id text default 'default') returns jsonb
    language plpgsql stable
    set search_path from current
    set jit = off
    set enable_seqscan = off
as $$
declare
    v_space bigint := engram._space_of(get_task.user_id);
    v_task  engram.memory := engram._task_memory(v_space, get_task.task_id, get_task.user_id);
    v_hung  jsonb;
begin
    select jsonb_object_agg(h.collection, h.entries) into v_hung
      from (
          select m.collection, jsonb_agg(jsonb_build_object('memory_id', m.memory_id, 'content', m.content, 'importance', m.importance,
                                                            'created_at', m.created_at, 'metadata', m.metadata - 'settles')
                                         order by m.created_at desc, m.memory_id desc) as entries
            from engram.edge e
            join engram.memory m on m.space_id = e.space_id and m.memory_id = e.src
           where e.space_id = v_space and e.dst = v_task.memory_id and e.relation = 'part_of' and m.state = 'active'
           group by m.collection
      ) h;

    return jsonb_build_object(
        'task',         to_jsonb(engram._as_task(v_task)),
        'last_handoff', engram.last_handoff(get_task.user_id, v_task.memory_id),
        'handoffs',     coalesce(v_hung -> 'engineering/handoff', '[]'),
        'failures',     coalesce(v_hung -> 'engineering/failure', '[]'),
        'progress',     coalesce(v_hung -> 'engineering/progress', '[]'),
        'memories',     coalesce((select jsonb_agg(o.entry) from jsonb_each(v_hung - '{engineering/handoff,engineering/failure,engineering/progress}'::text[]) as h (name, entries)
                                   cross join lateral jsonb_array_elements(h.entries) as o (entry)), '[]'));
end
$$;

comment on function engram.get_task is
'A task with what hangs on it, as JSON: task, last_handoff (as engram.last_handoff(), with the state of its steps), and the current handoffs, failures, progress and other memories, newest first.
What you link to it yourself, engram.link(memory, task, ''part_of''), is among the memories. Raises EG004 when this user has no such task.';
