create or replace function engram._sweep(job text, state jsonb, batch integer) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_after  bigint  := coalesce((state ->> 'after')::bigint, -9223372036854775808);
    v_spaces bigint[] := array(select s.space_id from engram.space s
                                where s.tenant_id = (select engram._tenant_id_in_force()) and s.space_id > v_after
                                order by s.space_id limit 1000);
    v_space  bigint;
    v_step   bigint;
    v_rows   bigint  := 0;
    v_busy   integer := 0;
begin
    foreach v_space in array v_spaces loop
        v_step := engram._sweep_space(job, v_space, batch);
        v_rows := v_rows + greatest(v_step, 0);
        v_busy := v_busy + (v_step < 0)::integer;
        -- A space with more to do comes again.
        exit when v_step = batch;
        v_after := v_space;
        exit when v_rows >= batch;
    end loop;

    return jsonb_build_object('rows', v_rows, 'done', cardinality(v_spaces) < 1000 and v_after is not distinct from v_spaces[cardinality(v_spaces)] or v_spaces = '{}',
                              'state', jsonb_build_object('after', v_after), 'detail', jsonb_build_object('busy', v_busy));
end
$$;

comment on function engram._sweep is 'A batch of prune or purge over the spaces of the tenant in force, in the order of their keys. busy: spaces that were passed over because a writer held them.';

revoke all on function engram._sweep from public;

create or replace function engram._sweep_space(job text, space_id bigint, batch integer) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
begin
    if job = 'prune' and not exists (select from engram._faded(space_id) f where f.rule = 'faded')
       or job = 'purge' and engram._purgeable(space_id, 1) = '{}'
    then
        return 0;
    elsif not pg_try_advisory_xact_lock(space_id) then
        return -1;
    elsif job = 'prune' then
        return (select count(*) from engram._prune_space(space_id, batch));
    else
        return (engram._erase(space_id, engram._purgeable(space_id, batch), 'purge') ->> 'memories')::bigint;
    end if;
end
$$;

comment on function engram._sweep_space is 'A batch of prune or purge in one space; how many memories went, or -1 if a writer holds the space, which is not waited for.';

revoke all on function engram._sweep_space from public;
