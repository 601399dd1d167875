create or replace function engram.grant_usage(role name, level text default 'writer') returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_table regclass;
begin
    if level is null or level not in ('reader', 'writer', 'worker') then
        raise exception using
            errcode = 'EG002',
            message = format('level %L does not exist', level),
            hint    = 'Use reader, who may search, writer, who may also remember, revise and forget, or worker, who may also embed and do the upkeep.';
    end if;

    execute format('grant usage on schema engram to %I', role);
    for v_table in
        select c.oid from pg_class c
         where c.relnamespace = 'engram'::regnamespace and c.relkind in ('r', 'v') and c.relname not in ('lexeme_key', 'tenant', 'embedding_job')
         order by c.relname
    loop
        execute format('grant select on %s to %I', v_table, role);
        if level <> 'reader' and exists (select from pg_policy p where p.polrelid = v_table) then
            execute format('grant insert, update, delete on %s to %I', v_table, role);
        end if;
    end loop;
    if level <> 'reader' then
        execute format('grant usage on all sequences in schema engram to %I', role);
        execute format('grant execute on function engram._open_space, engram._index_memory, engram._advance_ids, engram._queue_embeddings to %I', role);
    end if;
    if level = 'worker' then
        execute format('grant select, insert, update, delete on engram.embedding_job to %I', role);
        execute format('grant insert on engram.job_run to %I', role);
        execute format('grant select on engram.tenant, engram.lexeme_key to %I', role);
        execute format('grant execute on function engram.claim_embeddings, engram.complete_embeddings, engram.fail_embeddings,
                        engram.release_embeddings, engram._complete_embedding, engram.fold_recalls, engram.expire, engram.count_spaces,
                        engram.index_spaces, engram._run_job to %I', role);
        execute format('grant execute on procedure engram.maintain to %I', role);
    end if;
end
$$;

comment on function engram.grant_usage is
'Lets a database role use this memory: reader may search, get and look at statistics; writer may also remember, revise and forget; worker may
also embed what is queued and call maintain(). None can
change settings, kinds, profiles or models. Row-level security limits both to the tenant in force. Call it again after an upgrade that adds tables.';

revoke all on function engram.grant_usage from public;
