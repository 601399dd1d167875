create or replace function engram._changes(old engram.memory, new engram.memory) returns jsonb
    language sql stable
begin atomic
    select coalesce(jsonb_object_agg(o.key, o.value), '{}')
      from jsonb_each(to_jsonb(_changes.old)) as o (key, value)
      join jsonb_each(to_jsonb(_changes.new)) as n (key, value) using (key)
     where o.value is distinct from n.value
       and o.key not in ('lexemes', 'content_hash', 'updated_at');
end;

comment on function engram._changes is 'The columns in which two states of a memory differ, with their values in the old one.';
