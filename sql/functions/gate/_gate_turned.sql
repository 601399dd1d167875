create or replace function engram._gate_turned(existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    olds text[] := array(select case when left(u.word, 1) = '=' and ascii(substr(u.t, 3)) < 12293 then '=' else '' end || u.t from unnest(existing.tokens, existing.words) with ordinality u (t, word, n)
                            where left(u.t, 2) in ('w:', 'c:', 'p:', 'i:') order by u.n);
    news text[] := array(select case when left(u.word, 1) = '=' and ascii(substr(u.t, 3)) < 12293 then '=' else '' end || u.t from unnest(incoming.tokens, incoming.words) with ordinality u (t, word, n)
                            where left(u.t, 2) in ('w:', 'c:', 'p:', 'i:') order by u.n);
begin
    return exists (select from engram._gate_swaps(olds, news) s where s.parties !~ '=');
end
$$;

comment on function engram._gate_turned(engram.gate_claims, engram.gate_claims) is
'Whether two names changed places in one statement: from Pilton to Norrum, from Norrum to Pilton. A number said of the one way is none of the other.';
