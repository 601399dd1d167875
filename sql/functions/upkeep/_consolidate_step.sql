create or replace function engram._consolidate_step(state jsonb) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_model   engram.embedding_model := engram._active_model();
    v_space   bigint   := (state ->> 'space')::bigint;
    v_seeds   bigint[] := array(select s.id::bigint from jsonb_array_elements_text(state -> 'seeds') with ordinality as s (id, place) order by s.place);
    v_exact   boolean;
    v_cluster engram.cluster;
    v_looked  integer  := 0;
    v_rows    integer  := 0;
    v_detail  jsonb    := '{"looked_at": 0, "clusters": 0, "folded": 0, "retired": 0, "busy": 0, "failed": 0}';
begin
    if v_seeds = '{}' then
        select s.space, s.seeds into v_space, v_seeds from engram._next_seeds(v_model, v_space, coalesce((state ->> 'idle')::boolean, false)) s;
        if v_seeds is null then
            return jsonb_build_object('rows', 0, 'done', true, 'detail', v_detail);
        end if;
    end if;

    v_exact := not engram._is_indexed(v_space);
    -- One cluster a transaction; of those that have no near ones, some.
    while v_seeds <> '{}' and v_looked < 100 and v_rows = 0 loop
        if engram._is_seed(v_space, v_seeds[1]) then
            begin
                v_cluster := engram._consolidate_seed(v_space, v_seeds[1], v_model, false, v_exact);
            exception when data_exception or integrity_constraint_violation or program_limit_exceeded or raise_exception then
                v_cluster := null;
                raise warning 'consolidating memory %: %', v_seeds[1], engram._shown_error(sqlstate, sqlerrm);
                v_detail := v_detail || jsonb_build_object('failed', (v_detail ->> 'failed')::integer + 1);
            end;
            v_looked := v_looked + 1;
            v_rows   := coalesce(cardinality(v_cluster.folded) + cardinality(v_cluster.retired), 0);
            exit when v_cluster.outcome = 'busy';
        end if;
        v_seeds := v_seeds[2:];
    end loop;

    v_detail := v_detail || jsonb_build_object(
        'looked_at', v_looked, 'clusters', (v_rows > 0)::integer, 'busy', (v_cluster.outcome is not distinct from 'busy')::integer,
        'folded', coalesce(cardinality(v_cluster.folded), 0), 'retired', coalesce(cardinality(v_cluster.retired), 0));
    return jsonb_build_object(
        'rows', v_rows, 'done', false, 'detail', v_detail,
        -- A space in use is left for the next time. idle: nothing of the batch was marked, so that the same would come again.
        'state', jsonb_build_object(
            'space', v_space, 'seeds', case when v_cluster.outcome = 'busy' then '[]'::jsonb else to_jsonb(v_seeds) end,
            'idle', v_cluster.outcome is not distinct from 'busy' or (v_detail ->> 'failed')::integer > 0));
end
$$;

comment on function engram._consolidate_step is
'A step of the job consolidate: for the tenant in force, space by space, memory by memory, up to one cluster that is settled. A memory that cannot be consolidated is passed over with a warning and tried again next time.';

revoke all on function engram._consolidate_step from public;

create or replace function engram._next_seeds(model engram.embedding_model, after bigint, past boolean, out space bigint, out seeds bigint[])
    language plpgsql stable
    set search_path from current
as $$
begin
    for space in
        select s.space_id from engram.space s
         where s.tenant_id = (select engram._tenant_id_in_force()) and (after is null or s.space_id > after or s.space_id = after and not past)
         order by s.space_id
    loop
        seeds := engram._consolidation_seeds(space, model, 500);
        if seeds <> '{}' then
            return;
        end if;
    end loop;
    space := null;
    seeds := null;
end
$$;

comment on function engram._next_seeds is 'The next space of the tenant in force with memories that consolidation has not looked at, from the one after which it comes, or past that, and the first of them.';

revoke all on function engram._next_seeds from public;
