create or replace function engram._joined(
    kept         engram.memory,
    other        engram.memory,
    kept_claims  engram.gate_claims,
    other_claims engram.gate_claims,
    similarity   double precision
) returns engram.comparison
    language plpgsql stable
    set search_path from current
as $$
declare
    v_later   boolean := (other.valid_from, other.created_at, other.memory_id) > (kept.valid_from, kept.created_at, kept.memory_id);
    v_verdict engram.comparison;
begin
    if kept_claims.lang is distinct from other_claims.lang
       or kept.valid_until is distinct from other.valid_until
       or exists (select from regexp_split_to_table(engram._setting_text('consolidate.apart_by'), '\s*,\s*') as k (key)
                   where kept.metadata -> k.key is distinct from other.metadata -> k.key)
    then
        return null;
    end if;

    v_verdict := case when v_later then engram._judge(kept_claims, other_claims, similarity)
                      else engram._judge(other_claims, kept_claims, similarity) end;
    if v_verdict.verdict <> 'contradiction' and not v_later then
        v_verdict := engram._judge(kept_claims, other_claims, similarity);
        -- What contradicts only against the order of time contradicts nothing.
        if v_verdict.verdict = 'contradiction' then
            return null;
        end if;
    end if;

    return case when case v_verdict.verdict
                         when 'duplicate'     then true
                         when 'complement'    then engram._opens_in(kept_claims, other_claims) or engram._opens_in(other_claims, kept_claims)
                         when 'contradiction' then case when v_later then not engram._took_in_later(kept, other.valid_from)
                                                        else not engram._took_in_later(other, kept.valid_from) end
                     end
                     and not engram._parted(kept.space_id, kept.memory_id, other.memory_id) then v_verdict end;
end
$$;

comment on function engram._joined is
'What the write gate says of two memories that lie close together: duplicate or complement, so that the other may be folded into the one that is kept, or contradiction, of the earlier by the later. Null where
they have to stay apart: in different languages, true until different times, different in a key of metadata that the setting consolidate.apart_by names, distinct, about different things, or parted by an undo before, or where
the earlier one took in what is later than the other.';

create or replace function engram._opens_in(one engram.gate_claims, other engram.gate_claims) returns boolean
    language sql immutable parallel safe
begin atomic
    -- A name of Chinese or Japanese has two characters or more.
    select coalesce(array_agg(t.token) <@ _opens_in.other.tokens, true)
      from (select u.token, u.place, first_value(u.token) over (order by u.place) as first
              from unnest(_opens_in.one.tokens) with ordinality as u (token, place)
             where left(u.token, 2) not in ('g:', 'a:', 'o:')
             order by u.place limit 2) t
     where t.token = t.first or left(t.first, 2) = 'c:' and left(t.token, 2) = 'c:';
end;

comment on function engram._opens_in is
'Whether what a text begins with, which most often is what it is about, is named in the other one too.';

create or replace function engram._took_in_later(kept engram.memory, moment timestamptz) returns boolean
    language sql stable
begin atomic
    select exists (select from engram.memory f
                    where f.space_id = _took_in_later.kept.space_id and f.superseded_by = _took_in_later.kept.memory_id
                      and f.state = 'archived' and f.valid_from > _took_in_later.moment);
end;

comment on function engram._took_in_later is
'Whether a memory took in something that is true from later than a moment: it counts as true from the earliest on, so that what is told of that moment may be the older news.';

create or replace function engram._parted(space_id bigint, one bigint, other bigint) returns boolean
    language sql stable
begin atomic
    select exists (
        select from engram.decision d
         where d.space_id = _parted.space_id and d.undone_at is not null and d.action in ('consolidate', 'replace', 'reinforce', 'merge')
           and (d.memory_id in (_parted.one, _parted.other) or d.related_id in (_parted.one, _parted.other))
           and (d.memory_id in (_parted.one, _parted.other) and d.related_id in (_parted.one, _parted.other)
                or d.before ?& array[_parted.one::text, _parted.other::text]));
end;

comment on function engram._parted is 'Whether somebody undid a decision that joined two memories, or had one end the other; jobs do not do it again.';
