create or replace function engram.recall(
    query       text,
    user_id     text default 'default',
    k           integer default 10,
    profile     text default 'balanced',
    kinds       text[] default null,
    tags        text[] default null,
    collections text[] default null,
    metadata    jsonb default null,
    since       timestamptz default null,
    until       timestamptz default null,
    as_of       timestamptz default null,
    min_score   double precision default null,
    embedding   double precision[] default null,
    session_id  text default null
) returns setof engram.hit
    language plpgsql volatile
    rows 10
    set search_path from current
    set jit = off
    set enable_seqscan = off
    set plan_cache_mode = force_generic_plan
as $$
begin
    perform engram._checked_session(recall.session_id);

    if current_setting('transaction_read_only') = 'on' or not has_table_privilege('engram.recall_event', 'insert') then
        return query
            select * from engram.search(query, user_id, k, profile, kinds, recall.tags, collections, recall.metadata,
                                        since, until, as_of, min_score, embedding);
        return;
    end if;

    return query
        with hit as materialized (
            select * from engram.search(query, user_id, k, profile, kinds, recall.tags, collections, recall.metadata,
                                        since, until, as_of, min_score, embedding)
        ),
        trace as (
            insert into engram.recall_event (space_id, memory_id, tenant_id, session_id)
            select (select engram._space_of(user_id)), h.memory_id, (select engram._tenant_id_in_force()), nullif(recall.session_id, '') from hit h
             where h.legs <> '{pinned}'
        )
        select * from hit h order by h.rank;
end
$$;

comment on function engram.recall is
'The k memories of a user that best answer a question in plain words, best first, each with the parts of its score: semantic and lexical
0..1 as the profile scales them, strength now, graph the sum of what edges, neighbours in the session and names add; legs names the
legs that found it. With a model that connects languages, what is written in another script than a question that no words answer gets a lexical score by its meaning. score = lexical_weight × lexical + semantic_weight × semantic × (1 − decay × (1 − least(strength, 1))) + graph, so that what was recalled often does not push what answers aside.
k 1..1000. Filters apply before any cut: kinds, collections any of; tags at least one of; metadata contains; since <= created_at < until.
Scores compare the hits of one question: hits come even when none answers it, and no score says that one does.
as_of: what was true then. min_score drops weaker hits, on the scale of that question. embedding: the vector of the question, for a model that lives outside the database.
session_id: the session that asks; engram.session_outcome() later weighs what it was given.
The newest hand-off is always among the hits, its metadata with the state of its steps, and first when the question asks where work stopped; failures of a component that the question or its best hits
name come along: what was found by no leg stands last, with score 0 and the leg pinned or about.
What it returns counts as recalled, which maintain() folds into strength; it locks and changes no memory.';
