create or replace function engram._gate_opened(content text) returns engram.gate_claims
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    claims engram.gate_claims;
    opened text[]  := engram._opening(content);
    dated  boolean := opened[2] ~ '[0-9]:[0-9]{2}|(19|20)[0-9]{2}';
    rest   text;
begin
    claims.lexicon := engram._setting_number('gate.lexicon');
    claims.body    := left(content, engram._setting_number('gate.max_chars')::integer);

    if opened[3] is not null and (dated or opened[2] is null and opened[3] ~ '^[[:upper:]]' and not engram._gate_known(opened[3])) then
        claims.teller := lower(opened[3]);
        claims.body   := substr(claims.body, length(opened[1]) + 1);
    elsif dated then
        claims.body := substr(claims.body, length(opened[2]) + 1);
    end if;
    if dated then
        claims.stamp := btrim(opened[2]);
    end if;

    if claims.body ~ '[?？]' then
        rest := regexp_replace(claims.body, '(?:[^.!?。！？\n]|\.(?=\S))*(?:[?]+[!?]*(?=\s|$|["''”)])|？)', ' ', 'g');
        if rest is distinct from claims.body then
            claims.asks := case when rest ~ '[[:alnum:]]' then 'some' else 'all' end;
            claims.body := case when claims.asks = 'some' then rest else claims.body end;
        end if;
    end if;
    return claims;
end
$$;

comment on function engram._gate_opened(text) is
'What stands around the statements of a text: its date in brackets, who tells it, and the questions, which state nothing. body is the rest.
A name before a colon without a date must look like one: upper case and no word of the lexicon.';
