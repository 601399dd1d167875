create or replace function engram._step_topics(step text) returns text[]
    language plpgsql stable
    set search_path from current
as $$
declare
    v_worded text := engram._step_words(step);
begin
    return array(
        select distinct engram._step_names(g.topic)
          from engram.setting s
         cross join lateral regexp_match(v_worded, engram._fold(coalesce(s.value, s.default_value))) as m (groups)
         cross join lateral unnest(m.groups) as g (topic)
         where s.name ^@ 'handoff.doing_' and coalesce(s.value, s.default_value) <> '' and g.topic <> '');
end
$$;

comment on function engram._step_topics is
'What a step is about, where it begins, or in German and Japanese ends, with a verb that settings handoff.doing_… know: the step without that verb, as _step_names() has it. Empty for a step
of any other act, so that who removes, documents or deploys something is never taken for who makes it.';

create or replace function engram._step_words(step text) returns text
    language sql immutable strict parallel safe
begin atomic
    select btrim(regexp_replace(
               regexp_replace(translate(lower(engram._fold(_step_words.step)), '’`"', ''''), '(?<=[[:alnum:]])[-_](?=[[:alpha:]])', ' ', 'g'),
               '[\s.;!。；！]*$|\s+', ' ', 'g'));
end;

comment on function engram._step_words is
'A step without case, accents, quotes and the punctuation at its end; the parts of a compound are words.';

create or replace function engram._step_names(topic text) returns text
    language plpgsql stable strict
    set search_path from current
as $$
declare
    v_words text := regexp_replace(' ' || engram._step_words(topic) || ' ', engram._fold(engram._setting_text('handoff.articles')), ' ', 'g');
begin
    v_words := btrim(regexp_replace(v_words, '\s+', ' ', 'g'));
    if v_words !~ ' (for|of|in) .* (for|of|in) ' then   -- tests for the lexer are the lexer tests
        v_words := regexp_replace(v_words, '^(.+) (?:for|of|in) (.+)$', '\2 \1');
    end if;
    return regexp_replace(v_words, '(?<=[\u3005-\u30ff\u3400-\u9fff]) | (?=[\u3005-\u30ff\u3400-\u9fff])', '', 'g');
end
$$;

comment on function engram._step_names is 'What a text names, for comparing: its words in their order without articles.';
