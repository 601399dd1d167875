create or replace function engram._enter_spaces(memories jsonb, user_id text, locking boolean) returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_name  text;
    v_space bigint;
begin
    for v_name in
        select o.name
          from (select distinct coalesce(case when jsonb_typeof(e.entry) = 'object' then e.entry ->> 'user_id' end, _enter_spaces.user_id)
                  from jsonb_array_elements(memories) as e (entry)) as o (name)
         where o.name <> ''
         order by engram._space_of(o.name)
    loop
        v_space := engram._open_space(v_name);
        if locking then
            perform pg_advisory_xact_lock(v_space);
        end if;
    end loop;
end
$$;

comment on function engram._enter_spaces is
'Opens, and locks, the spaces that the entries of remember_many() name, in the order of their keys: two such calls then never wait for each other in a ring.';
