create or replace function engram.context(
    query      text,
    user_id    text default 'default',
    max_tokens integer default 1000,
    profile    text default 'balanced',
    embedding  double precision[] default null,
    session_id text default null
) returns text
    language plpgsql volatile
    set search_path from current
    set jit = off
    set enable_seqscan = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    v_handoff engram.memory;
    v_hit    record;
    v_line   text;
    v_tokens integer := 0;
    v_text   text := '';
begin
    if max_tokens is null or max_tokens not between 1 and 1000000 then
        raise exception using
            errcode = 'EG002',
            message = format('max_tokens is %s; it must be 1 to 1,000,000', coalesce(max_tokens::text, 'null')),
            hint    = 'Pass what the prompt has room for, by default 1000.';
    end if;

    v_handoff := engram._newest_handoff(engram._space_of(user_id));
    foreach v_line in array engram._handoff_lines(v_handoff) loop
        continue when v_tokens + engram.estimate_tokens(v_line || chr(10)) > max_tokens / 2;
        v_tokens := v_tokens + engram.estimate_tokens(v_line || chr(10));
        v_text   := v_text || v_line || chr(10);
    end loop;

    for v_hit in
        select * from engram.recall(query, user_id, least(greatest(max_tokens / 10, 5), 100), profile, embedding => context.embedding,
                                      session_id => context.session_id)
    loop
        continue when v_hit.memory_id = v_handoff.memory_id;
        v_line := format('- [%s] %s', to_char(v_hit.created_at, 'YYYY-MM-DD'), regexp_replace(v_hit.content, '\s+', ' ', 'g'));
        continue when v_tokens + engram.estimate_tokens(v_line || chr(10)) > max_tokens;
        v_tokens := v_tokens + engram.estimate_tokens(v_line || chr(10));
        v_text   := v_text || v_line || chr(10);
    end loop;

    return v_text;
end
$$;

comment on function engram.context is
'What is remembered about a question as text for a prompt: one line a memory, "- [date] content", best first, within max_tokens as
engram.estimate_tokens() counts. A memory too long for what is left is passed over for shorter ones. On top, in up to half of max_tokens, stands the newest
hand-off with the state of its steps, if there is one. session_id: as in recall(). Empty when nothing fits or is known.';
