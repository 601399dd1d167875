create or replace function engram._advance_ids() returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_source record;
    v_next   bigint;
    v_most   bigint;
begin
    for v_source in
        select t.name, t.id, pg_get_serial_sequence('engram.' || t.name, t.id)::regclass as sequence
          from (values ('memory', 'memory_id'), ('decision', 'decision_id')) as t (name, id)
    loop
        execute format('select max(%1$I) from engram.%2$I where %1$I <= $1', v_source.id, v_source.name) into v_most using engram._greatest_id() / 2;
        v_next := nextval(v_source.sequence);
        -- A jump that others pass meanwhile would give out their ids again; a short way is gone step by step.
        if v_most - v_next > 10000 then
            perform setval(v_source.sequence, v_most);
        else
            perform nextval(v_source.sequence) from generate_series(v_next + 1, v_most);
        end if;
    end loop;
end
$$;

comment on function engram._advance_ids is
'Moves the id sequences past the highest id of the tenant in force, after ids were written by hand. An id in the upper half of what engram.import() takes moves nothing: a sequence
never goes back, so that one such row would use it up for all. Only writers may call it.';

revoke all on function engram._advance_ids from public;
