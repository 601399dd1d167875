create or replace function engram._in_force(space_id bigint, images jsonb) returns jsonb
    language sql stable
begin atomic
    select coalesce(jsonb_agg(jsonb_build_object('memory_id', m.memory_id, 'content', m.content) order by m.memory_id), '[]')
      from engram.memory m
     where m.space_id = _in_force.space_id and m.state = 'active'
       and m.memory_id in (select i.id::bigint from jsonb_object_keys(_in_force.images) as i (id));
end;

comment on function engram._in_force is 'The active memories among those of an image, keyed by memory_id: an array of memory_id and content.';
