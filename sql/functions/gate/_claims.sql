create or replace function engram._claims(content text) returns engram.gate_claims
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    claims  engram.gate_claims;
    r       record;
    skip    integer := 0;
    read    engram.gate_reading;
    concord boolean := false;
    odd     boolean := false;
    negated boolean := false;
    linked  boolean := false;
    pending boolean := false;
begin
    claims.tokens := '{}';
    claims.cues   := '{}';
    claims.listed := false;
    for r in select * from engram._gate_terms(engram._gate_tokens(left(content, engram._setting_number('gate.max_chars')::integer))) loop
        claims.lang := coalesce(claims.lang, r.lang);
        continue when r.start < skip;
        if pending or r.token ~ '[0-9〇零一二三四五六七八九十百千万两亿億]' or r.roles && array['number', 'month', 'daypart'] then
            read    := engram._gate_quantity(read, r.token, r.roles, r.values);
            pending := read.number is not null or read.numeral is not null or read.month is not null
                    or read.clock is not null or read.daypart is not null;
        else
            read.took := false;
        end if;
        skip  := r.start + length(r.phrase);
        if read.done is not null then
            claims.tokens := claims.tokens || read.done;
            read.done := null;
        end if;
        continue when read.took;
        if r.roles is null and r.token ~ '[0-9_/@#.:]' or r.token ~ '^[a-z]$' and r.letter then
            claims.tokens := claims.tokens || engram._gate_literal(r.token);
            continue;
        end if;
        claims.tokens := claims.tokens || engram._gate_content(r.phrase, r.roles, r.values, r.lang);
        if r.roles is not null then
            claims.cues   := claims.cues || engram._gate_cues(r.roles, r.values);
            claims.listed := claims.listed or 'separator' = any (r.roles);
            if 'copula' = any (r.roles) and not linked then
                claims.pivot := engram._gate_size(claims.tokens);
                linked := true;
            elsif claims.pivot is null and r.roles && array['single', 'list', 'owner'] then
                claims.pivot := engram._gate_size(claims.tokens) - 1;
            end if;
            if r.roles && array['negation', 'privative'] then
                concord := concord or (r.values && array['concord', 'concord-change']);
                negated := negated or not (r.values && array['concord', 'concord-change']);
                odd     := odd is distinct from not (r.values && array['concord', 'concord-change']);
            end if;
            if 'antonym' = any (r.roles) and (r.values)[array_position(r.roles, 'antonym')] like '-%' then
                odd := not odd;
            end if;
        elsif r.token in (',', '、') then
            claims.listed := true;
        end if;
    end loop;
    read := engram._gate_quantity(read, null, null, null);
    claims.tokens    := claims.tokens || coalesce(read.done, '{}');
    if claims.pivot >= engram._gate_size(claims.tokens) - 1 and claims.tokens[cardinality(claims.tokens)] ~ '^[alo]:' then
        claims.pivot := 0;
    end if;
    claims.polarity  := case when odd or (concord and not negated) then -1 else 1 end;
    claims.cues      := array(select distinct c from unnest(claims.cues) c order by c);
    claims.sentences := engram._gate_sentences(content);
    return claims;
end
$$;

comment on function engram._claims(text) is
'Reads a text for the write gate: content tokens with numbers, units, dates and names in canonical form, cues, polarity.
Never fails on any text; reads at most gate.max_chars characters.';
