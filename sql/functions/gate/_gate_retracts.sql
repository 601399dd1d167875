create or replace function engram._gate_retracts(c engram.contrast, existing engram.gate_claims, incoming engram.gate_claims) returns text
    language plpgsql stable parallel safe
    set search_path from current
as $$
declare
    strong   boolean := 'change' = any (c.cues);
    persons  double precision := (select count(*) from unnest(c.shared) t where left(t, 2) = 'p:');
    named    boolean := not exists (select from unnest(existing.tokens[coalesce(existing.pivot, cardinality(existing.tokens)) + 1 :]) t
                                     where t = any (c.only_old));
    changes  boolean := c.cues && array['change', 'hint'];
    personal boolean := exists (select from unnest(c.shared) t
                                 where t in ('a:home', 'a:job', 'a:age', 'a:birthday', 'a:phone', 'a:language'));
    foreign_ boolean := exists (select from unnest(existing.tokens[1 : coalesce(existing.pivot, 0)]) t where t = any (c.only_old))
                     or exists (select from unnest(incoming.tokens[1 : coalesce(incoming.pivot, 0)]) t where t = any (c.words_new));
    topic    double precision := c.weight - (select count(*) from unnest(c.shared) t where left(t, 2) in ('a:', 'p:'));
    frame    double precision := c.weight
                               / nullif(c.weight + c.weight_old, 0);
begin
    if c.flipped and c.cover_old >= 0.5 and c.weight_old <= 1 and c.weight_new <= 1 and cardinality(c.values_new) = 0
       and (cardinality(c.only_old) = 0 or cardinality(c.only_new) = 0 or c.weight - persons >= c.weight_old)
       and (changes or cardinality(c.only_new) = 0 and (cardinality(c.only_old) = 0 or incoming.polarity = -1)) then
        return 'polarity_flipped';
    end if;
    if not foreign_ and exists (select from unnest(c.only_old) o, unnest(c.only_new) n
                                 where left(o, 2) = 's:' and split_part(o, '=', 1) = split_part(n, '=', 1)) then
        return 'single_changed';
    end if;
    if not changes then
        return null;
    end if;
    if strong and named and c.cover_old >= engram._setting_number('gate.same_topic') and topic >= (case when personal then 0.5 else 1 end) then
        return 'switched';
    end if;
    if topic >= 1 and frame = 1
       and exists (select from unnest(c.values_old) o, unnest(c.values_new) n where engram._gate_alike(o, n)) then
        return 'value_moved';
    elsif 'o:own' = any (c.shared) and c.weight >= 2 and cardinality(c.only_new) > 0 and engram._gate_run(existing.tokens, c.only_old) then
        return 'owner_changed';
    elsif foreign_ then
        return null;
    elsif 'becomes' = any (c.cues) and c.one_slot and topic >= 1 and greatest(c.weight_old, c.weight_new) <= 2 then
        return 'switched';
    end if;
    if cardinality(c.only_new) > 0 and cardinality(c.only_old) > 0
       and (personal or (topic >= 1 or cardinality(existing.tokens) <= 3) and exists (select from unnest(c.shared) t where left(t, 2) = 'a:')) then
        return 'attribute_moved';
    end if;
    if topic >= 1 and frame >= 0.5
       and exists (select from unnest(c.values_old) o, unnest(c.values_new) n where engram._gate_alike(o, n)) then
        return 'value_moved';
    end if;
    return null;
end
$$;

comment on function engram._gate_retracts(engram.contrast, engram.gate_claims, engram.gate_claims) is
'The rule by which the incoming text takes the existing one back in words: by negation, or by announcing a change. Null when it does not.';
