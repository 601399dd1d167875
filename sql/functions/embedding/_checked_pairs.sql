create or replace function engram._checked_pairs(model engram.embedding_model, pairs jsonb) returns void
    language plpgsql stable
    set search_path from current
as $$
declare
    v_problem text;
begin
    if pairs is not null and jsonb_typeof(pairs) <> 'array' then
        v_problem := 'pairs is not a JSON array';
    else
        select format('pair %s has no label of duplicate, related, unrelated or translation, or no vectors a and b', p.place) into v_problem
          from jsonb_array_elements(coalesce(pairs, '[]')) with ordinality as p (pair, place)
         where coalesce(p.pair ->> 'label', '') not in ('duplicate', 'related', 'unrelated', 'translation')
            or jsonb_typeof(p.pair -> 'a') is distinct from 'array' or jsonb_typeof(p.pair -> 'b') is distinct from 'array'
         order by p.place
         limit 1;
    end if;
    if v_problem is not null then
        raise exception using errcode = 'EG002', message = v_problem, hint = '[{"label": "duplicate", "a": [0.1, …], "b": [0.2, …]}, …]';
    end if;

    perform engram._checked_vectors(model, 2 * jsonb_array_length(pairs),
                                    array(select p.pair ->> s.side from jsonb_array_elements(pairs) as p (pair), unnest(array['a', 'b']) as s (side)))
      where pairs is not null;
end
$$;

comment on function engram._checked_pairs is 'Raises EG002 or EG005 unless the labelled pairs can be measured by the model.';

revoke all on function engram._checked_pairs from public;
