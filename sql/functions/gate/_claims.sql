create or replace function engram._claims(content text) returns engram.gate_claims
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    claims  engram.gate_claims := engram._gate_opened(content);
    tokens  text[]  := '{}';
    words   text[]  := '{}';
    cues    text[]  := '{}';
    r       record;
    size    integer := 0;   -- tokens that carry content of their own
    breaks  integer[] := '{}';   -- how many tokens come before each comma and joining word
    ends    integer[] := '{}';   -- and before each word by which something is given up or denied
    seen    integer[] := '{}';   -- how many breaks come before that word
    skip    integer := 0;   -- characters of the phrase still to come
    before  text;   -- the token before this one
    token   text;
    read    engram.gate_reading;
    listed  boolean := false;
    concord boolean := false;
    odd     boolean := false;
    negated boolean := false;
    linked  boolean := false;
    pending boolean := false;
    denied  boolean := false;   -- the phrase before is a negation: nothing is given up by not giving up
begin
    for r in select * from engram._gate_terms(engram._gate_tokens(claims.body)) loop
        before := token;
        token  := r.token;
        if claims.lang is null then
            claims.lang := r.lang;
        end if;
        if skip > 0 then
            skip := skip - r.width;
            continue;
        end if;
        skip := r.size - r.width;
        if before is null and 'front' = any (r.values) then
            cues := array['fronted'];   -- what is said first is no subject: under the mat lies the key
        end if;
        if pending or r.quantity then
            read    := engram._gate_quantity(read, r.token, r.roles, r.values);
            pending := read.number is not null or read.numeral is not null or read.month is not null
                    or read.clock is not null or read.daypart is not null;
            if read.done is not null then
                tokens    := tokens || read.done;
                words     := words || array_fill(null::text, array[cardinality(read.done)]);
                size      := size + cardinality(read.done);
                read.done := null;
            end if;
            continue when read.took;
        end if;
        if r.literal then
            tokens := tokens || engram._gate_literal(r.token);
            words  := words || array_fill(null::text, array[cardinality(tokens) - cardinality(words)]);
            size   := size + 1;
            continue;
        end if;
        if r.content is not null then
            tokens := tokens || r.content;
            words  := words || (case when r.roles is null or starts_with(r.content, 'w:_') then r.token   -- a thing with two names is listed only to be one
                                when r.size = length(r.token) and ascii(r.token) < 12293 then '=' || r.token else '=' || substr(r.content, 3) end);
            size   := size + (not starts_with(r.content, 'g:'))::integer;
        end if;
        if r.content is null and 'self' = any (r.values) or r.size > length(r.token) and r.token in ('my', 'our', 'i', 'we', 'mein', 'meine', 'unser', 'unsere', 'ich', 'mon', 'ma', 'notre', 'je', 'mi', '我', '私') then
            cues := cues || 'self'::text;
        end if;
        if r.roles is null then
            denied := false;
            if r.token in (',', ';', '、') then
                listed := listed or r.token <> ';' and (size > 0 or not cues && array['change', 'hint']);   -- since the merger, Bo leads it
                breaks := breaks || cardinality(tokens);
            end if;
            continue;
        end if;
        if r.cues is not null and not (denied and 'privative' = any (r.cues)) then
            cues := cues || r.cues;
        end if;
        denied := 'negation' = any (r.roles);
        if not linked and 'copula' = any (r.roles) then
            claims.pivot := size;
            linked       := true;
        elsif claims.pivot is null and r.roles && array['single', 'list', 'owner'] then
            claims.pivot := size - 1;
        end if;
        if 'separator' = any (r.roles) then
            breaks := breaks || cardinality(tokens);
        end if;
        if r.roles && array['negation', 'privative'] then
            if not (r.values && array['concord', 'concord-change'] and (concord or negated)) then
                ends := ends || case when claims.lang = 'ja' and before is distinct from 'を' then -1 - cardinality(tokens) else cardinality(tokens) end;
                seen := seen || cardinality(breaks);
            end if;
            if r.values && array['concord', 'concord-change'] then
                concord := true;
            else
                negated := true;
                odd     := not odd;
            end if;
        elsif 'separator' = any (r.roles) then
            listed := true;
        end if;
        if 'antonym' = any (r.roles) and not r.roles && array['negation', 'privative'] and (r.values)[array_position(r.roles, 'antonym')] like '-%'
           and cardinality(array_positions(tokens, r.content)) = 1 then   -- said twice it is still said once
            odd  := not odd;
            cues := cues || ('-' || substr(r.content, 3));   -- on which side of the pair of opposites
        end if;
    end loop;
    if pending then
        read   := engram._gate_quantity(read, null, null, null);
        tokens := tokens || read.done;
        size   := size + cardinality(read.done);
    end if;
    if claims.pivot >= size - 1 and left(tokens[cardinality(tokens)], 2) in ('a:', 'l:', 'o:') then
        claims.pivot := 0;
    end if;
    claims.tokens    := tokens;
    claims.words     := words;
    claims.ended     := case when ends = '{}' then '{}' else engram._gate_ended(tokens, ends, seen, breaks, claims.lang) end;
    claims.listed    := listed;
    claims.polarity  := case when odd or (concord and not negated) then -1 else 1 end;
    claims.cues      := array(select distinct c from unnest(cues) c order by c);
    claims.topics    := engram._gate_topics(tokens);
    claims.sentences := engram._gate_sentences(claims.body);
    claims.body      := null;
    return claims;
end
$$;

comment on function engram._claims(text) is
'Reads a text for the write gate: who tells it, content tokens with numbers, units, dates and names in canonical form, cues, polarity.
Never fails on any text; reads at most gate.max_chars characters.';
