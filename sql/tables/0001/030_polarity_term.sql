create table engram.polarity_term (
    lang    text    not null check (lang ~ '^([a-z]{2,3}|\*)$'),
    term    text    not null check (term <> '' and term = btrim(term)),
    role    text    not null check (role in (
        'stop', 'copula', 'separator', 'negation', 'privative', 'change', 'hypothetical', 'past', 'opinion', 'additive', 'generic',
        'synonym', 'antonym', 'single', 'list', 'person', 'owner', 'schedule', 'event',
        'unit', 'number', 'month', 'weekday', 'daypart', 'courtesy')),
    value   text    not null default '',
    enabled boolean not null default true,
    shipped boolean not null default false,
    form    text    not null generated always as (
        lower(normalize(regexp_replace(normalize(term, nfkd), '[\u0300-\u036f]', '', 'g'), nfc))) stored,
    head    text    not null generated always as (
        substring(lower(normalize(regexp_replace(normalize(term, nfkd), '[\u0300-\u036f]', '', 'g'), nfc))
                  from '^(?:[\u30a1-\u30fa\u30fc]+|[\u3005-\u309f\u3400-\u9fff\uf900-\ufaff]|[^ \u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]+)')) stored,
    stem    text    generated always as (
        case when term ~ '[ ]' then null
             when lang = 'en' then (ts_lexize('english_stem', lower(term)))[1]
             when lang = 'de' then (ts_lexize('german_stem',  lower(normalize(regexp_replace(normalize(term, nfkd), '[\u0300-\u036f]', '', 'g'), nfc))))[1]
             when lang = 'fr' then (ts_lexize('french_stem',  lower(normalize(regexp_replace(normalize(term, nfkd), '[\u0300-\u036f]', '', 'g'), nfc))))[1]
             when lang = 'es' then (ts_lexize('spanish_stem', lower(normalize(regexp_replace(normalize(term, nfkd), '[\u0300-\u036f]', '', 'g'), nfc))))[1]
        end) stored,
    token   text    generated always as (
        case role when 'person'  then 'p:' || value
                  when 'single'  then case when strpos(value, '=') > 0 then 's:' else 'a:' end || value
                  when 'list'    then 'l:' || value
                  when 'owner'   then 'o:' || value
                  when 'antonym' then 'x:' || substr(value, 2)
                  when 'synonym' then 'w:' || value
                  when 'weekday' then 'd:w' || value
                  when 'generic' then 'g:' || lower(normalize(regexp_replace(normalize(term, nfkd), '[\u0300-\u036f]', '', 'g'), nfc))
                  when 'event' then null when 'schedule' then null when 'unit' then null when 'number' then null when 'month' then null
                  else '' end) stored,
    cues    text    generated always as (
        case when role = 'privative' then 'privative change'
             when role = 'change' and value = 'weak' then 'hint'
             when role = 'change' and value = 'to' then 'change becomes'
             when role = 'negation' and value in ('change', 'concord-change') then 'change'
             when role in ('change', 'hypothetical', 'past', 'opinion', 'additive', 'schedule', 'event', 'courtesy') then role end) stored,
    primary key (lang, term, role)
);

create index polarity_term_head on engram.polarity_term (head);
create index polarity_term_stem on engram.polarity_term (stem) where stem is not null;

comment on table engram.polarity_term is
'What the write gate knows of a language: one row a word or phrase and role. Inserting a row teaches the gate at once.';
comment on column engram.polarity_term.lang is 'ISO 639 code of the language, or * for every language.';
comment on column engram.polarity_term.term is 'Word or phrase as written; words are separated by one space. Accents and case do not matter.';
comment on column engram.polarity_term.role is
'stop: carries no content · copula: links a subject to its value · separator: joins the members of a list ·
negation: turns the statement over · privative: turns over and stays content (a habit given up) · change: what was true is so no longer ·
hypothetical: planned, considered, proposed · past: was true · opinion: somebody''s view · additive: one more besides ·
generic: a word any two statements may share · synonym: stands for its value ·
antonym: stands for its value with + or - before it · single: an attribute with one value at a time · list: an attribute with many ·
person: somebody other than the speaker · owner: an attribute whose value comes before it (Ada owns X) · schedule: an event still to come, or repeated ·
event: a thing that happened · courtesy: thanks, greetings, cheers, which state nothing · unit, number, month, weekday, daypart: parts of quantities and times.';
comment on column engram.polarity_term.value is 'The canonical token of the term: synonyms share it. For number, month and weekday, the number. For change: weak for a mere sign of it, to where the
new value follows (switched to). For negation: change for no longer, concord where a second negation does not undo the first (ne … pas).';
comment on column engram.polarity_term.form is 'The term without accents and case.';
comment on column engram.polarity_term.head is 'The first word of the form, or its first CJK character or run of katakana: how a text finds its phrases.';
comment on column engram.polarity_term.stem is 'Snowball stem of a single word of English, German, French or Spanish: other inflections find it.';
comment on column engram.polarity_term.token is 'What the term adds to the content of a text: null leaves it to the word itself, empty adds nothing.';
comment on column engram.polarity_term.cues is 'What the term says of the mood of a text, words separated by a space.';
comment on column engram.polarity_term.enabled is 'False switches a row off; an upgrade leaves it so.';
comment on column engram.polarity_term.shipped is 'True for rows that came with the product; only these are rewritten by an upgrade.';
