create or replace function engram._fill_static(scanned boolean) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_before text   := current_setting('engram.tenant', true);
    v_filled bigint := 0;
    v_tenant record;
begin
    for v_tenant in select t.name, t.tenant_id from engram.tenant t order by t.tenant_id loop
        perform set_config('engram.tenant', v_tenant.name, true);
        if scanned then
            -- Before they are made: else they would go into the index one by one.
            update engram.space_stat s set indexed = false where s.indexed and s.tenant_id = v_tenant.tenant_id;
        end if;
        v_filled := v_filled + engram._embed_missing(v_tenant.tenant_id, null);
    end loop;

    perform set_config('engram.tenant', coalesce(v_before, ''), true);
    return v_filled;
end
$$;

comment on function engram._fill_static is 'Makes the static vectors that are missing, for every tenant; returns how many. scanned: large spaces are scanned from now on, until index_spaces() has brought all in.';

revoke all on function engram._fill_static from public;
