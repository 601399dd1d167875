create or replace function engram._tally(space_id bigint, attribute text) returns jsonb
    language sql stable
begin atomic
    select coalesce(jsonb_object_agg(t.name, t.count), '{}')
      from (
          select case _tally.attribute when 'kind' then m.kind else m.collection end as name, count(*)
            from engram.memory m
           where m.space_id = _tally.space_id and m.state = 'active'
           group by 1
      ) t;
end;

comment on function engram._tally is 'Number of active memories of a space by kind or by collection.';
