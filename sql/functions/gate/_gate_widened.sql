create or replace function engram._gate_widened(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns boolean
    language sql stable parallel safe
begin atomic
    select (existing.tokens && o.only_ and not incoming.tokens && o.only_ and (incoming.cues && array['additive'] or c.only_new && o.anyone)
                or incoming.tokens && o.only_ and not existing.tokens && o.only_ and c.only_old && o.anyone)
       and not c.flipped and cardinality(c.values_old || c.values_new) = 0
       and (c.weight >= 2 or c.weight >= 1 and ((c.only_old || c.only_new) && o.anyone or engram._gate_kin(c, existing, incoming))) and c.weight_old between 0.5 and 1 and c.weight_new <= 2 and cardinality(c.only_new) > 0
       and (engram._gate_first(existing.tokens) = engram._gate_first(incoming.tokens) or c.cover_old >= case when (c.only_old || c.only_new) && o.anyone then 0.6 else 0.75 end)
       and array_to_string(c.shared, ' ') !~ '\m[dt]:'   -- only on Fridays: who knows what only belongs to
       and not array_to_string(c.words_old || c.words_new, ' ') ~ '\mp:'
      from (select array['g:only', 'g:solely', 'g:exclusively', 'g:只', 'g:只有', 'g:只能', 'g:仅', 'g:仅限', 'g:だけ', 'g:のみ', 'g:しか', 'g:nur', 'g:ausschließlich', 'g:solo', 'g:solamente',
                         'g:unicamente', 'g:seulement', 'g:uniquement'] as only_,
                   array['w:anyone', 'w:everyone', 'w:anybody', 'w:everybody'] as anyone) o;
end;

comment on function engram._gate_widened(engram.contrast, engram.gate_claims, engram.gate_claims) is
'Whether what was said to hold for one only is now said to hold for another as well, or for anyone: only takes cash, also takes cards. Or the reverse.';
