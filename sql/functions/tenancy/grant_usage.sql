create or replace function engram.grant_usage(role name, level text default 'writer') returns void
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_table regclass;
begin
    if level is null or level not in ('reader', 'writer', 'worker', 'admin') then
        raise exception using
            errcode = 'EG002',
            message = format('level %L does not exist', level),
            hint    = 'Use reader, who may search, writer, who may also remember, revise and forget, worker, who may also embed and do the upkeep, or admin, who may also configure.';
    end if;
    if role is null or role <> 'public' and not exists (select from pg_roles r where r.rolname = role) then
        raise exception using
            errcode = 'EG002',
            message = format('role %L does not exist', role),
            hint    = 'Make it first: CREATE ROLE … LOGIN;';
    end if;
    if level in ('worker', 'admin') and exists (select from engram.role_binding b where b.role = grant_usage.role) then
        raise exception using
            errcode = 'EG002',
            message = format('role %I is bound to one tenant, and a %s serves every tenant', role, level),
            hint    = format('SELECT engram.unbind_role(%L); first, or use another role.', role);
    end if;

    execute format('grant usage on schema engram to %I', role);
    for v_table in
        select c.oid from pg_class c
         where c.relnamespace = 'engram'::regnamespace and c.relkind in ('r', 'v') and not engram._is_closed(c.relname)
         order by c.relname
    loop
        execute format('grant select on %s to %I', v_table, role);
        if level <> 'reader' and exists (select from pg_policy p where p.polrelid = v_table) then
            execute format('grant insert, update, delete on %s to %I', v_table, role);
        end if;
    end loop;
    execute format('grant execute on function engram.check_api_key to %I', role);
    if level <> 'reader' then
        execute format('grant usage on all sequences in schema engram to %I', role);
        execute format('grant execute on function engram._open_space, engram._index_memory, engram._advance_ids, engram._queue_embeddings,
                        engram._queue_judgement to %I', role);
        execute (select format('grant execute on function %s to %I', string_agg(w.f::text, ', '), role) from engram._writing() as w (f));
    end if;
    if level in ('worker', 'admin') then
        execute format('grant select, insert, update, delete on engram.embedding_job, engram.judgement_job to %I', role);
        execute format('grant insert, update, delete on engram.job_run to %I', role);
        execute format('grant select on engram.tenant, engram.lexeme_key to %I', role);
        execute format('grant execute on function engram.claim_embeddings, engram.complete_embeddings, engram.fail_embeddings,
                        engram.release_embeddings, engram._complete_embedding, engram._complete_batch, engram.fold_recalls, engram.expire, engram.count_spaces,
                        engram.index_spaces, engram.sweep_embeddings, engram._run_job, engram._read_step, engram._sweep, engram._sweep_space,
                        engram._consolidate_step, engram._next_seeds, engram._begin_upkeep,
                        engram._upkeep_runs, engram._may_commit, engram._upkeep_step, engram._begin_job, engram._end_job, engram._added,
                        engram._upkeep_failed, engram._shown_error, engram._end_upkeep, engram._report_upkeep to %I', role);
        execute format('grant execute on function engram.claim_judgements, engram.complete_judgement, engram.fail_judgement,
                        engram.release_judgements, engram._in_doubt, engram._revise_verdict, engram._says_more to %I', role);
        execute format('grant execute on procedure engram.maintain, engram.run_job to %I', role);
        execute format('grant execute on function engram.schedule, engram.unschedule, engram.schedules, engram.schedule_sql, engram._cron_here,
                        engram._cron_expression, engram._scheduled_jobs to %I', role);
    end if;
    if level = 'admin' then
        execute format('grant insert, update, delete on engram.kind, engram.scoring_profile, engram.polarity_term, engram.gate_rule, engram.gate_weight,
                        engram.write_policy, engram.model_default to %I', role);
        execute format('grant update on engram.job to %I', role);
        -- Not the name and the options: where the worker sends the texts of all tenants, with its key, is the owner's.
        execute format('grant update (active, floor, link_at, relation_at, reinforce_at, consolidate_at, trusted_coverage, recall_at, fallback_at, customized)
                        on engram.embedding_model to %I', role);
        execute format('grant select on engram.role_binding to %I', role);
        execute format('grant execute on function engram.configure, engram.activate_model, engram._fill_static, engram.calibrate_model,
                        engram._own_cosines, engram._checked_pairs, engram.retry_embeddings, engram.retry_judgements, engram.embed_missing, engram._embed_missing, engram._queue_all,
                        engram.bind_role, engram.unbind_role, engram.create_api_key, engram.revoke_api_key, engram.api_keys to %I', role);
    end if;
end
$$;

comment on function engram.grant_usage is
'Lets a database role use this memory: reader may search, get and look at statistics; writer may also remember, revise and forget; worker may
also embed what is queued and call maintain(); admin may also change settings, kinds, profiles and the lexicon, switch between models, bind roles
and issue API keys. What alters tables, hands out grants or decides where texts are sent (installing, adding, changing and dropping models, require_tenant(), this function) stays the owner''s. Row-level
security limits all of them to the tenant in force. A higher level includes the lower ones; to lower one, DROP OWNED BY the role first. An upgrade renews it.';

revoke all on function engram.grant_usage from public;
