create or replace function engram._advance_ids(memory_id bigint, decision_id bigint) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_source record;
    v_next   bigint;
begin
    for v_source in
        select pg_get_serial_sequence('engram.' || t.name, t.id)::regclass as sequence, t.most
          from (values ('memory', 'memory_id', _advance_ids.memory_id), ('decision', 'decision_id', _advance_ids.decision_id)) as t (name, id, most)
         where t.most between 1 and engram._greatest_id() / 2
    loop
        continue when v_source.most <= coalesce(pg_sequence_last_value(v_source.sequence), 0);
        v_next := nextval(v_source.sequence);
        -- A jump that others pass meanwhile would give out their ids again; a short way is gone step by step.
        if v_source.most - v_next > 10000 then
            perform setval(v_source.sequence, v_source.most);
        else
            perform nextval(v_source.sequence) from generate_series(v_next + 1, v_source.most);
        end if;
    end loop;
end
$$;

comment on function engram._advance_ids is
'Moves the id sequences past these ids, the highest that were written by hand. An id in the upper half of what engram.import() takes moves nothing: a sequence
never goes back, so that one such row would use it up for all. Only writers may call it.';

revoke all on function engram._advance_ids from public;
