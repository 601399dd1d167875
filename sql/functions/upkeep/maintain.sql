create or replace procedure engram.maintain(jobs text[] default null, every interval default null)
    language plpgsql
as $$
declare
    v_run   engram.upkeep_run;
    v_stack text;
    v_code  text;
    v_error text;
begin
    -- A procedure that commits cannot pin its search_path, so here stand no operators, and no names without a schema.
    get diagnostics v_stack = pg_context;
    v_run := engram._begin_upkeep(maintain.jobs, maintain.every, v_stack);
    if v_run.commits then
        commit;
    end if;

    while v_run.job is not null loop
        begin
            v_run := engram._upkeep_step(v_run);
        exception when others then
            if v_run.commits is not true then
                raise;
            end if;
            get stacked diagnostics v_code = returned_sqlstate, v_error = message_text;
            v_run := engram._upkeep_failed(v_run, v_code, v_error);
        end;
        if v_run.commits then
            commit;
        end if;
    end loop;

    perform engram._end_upkeep(v_run);
    if v_run.commits then
        commit;
    end if;
    perform engram._report_upkeep(v_run);
end
$$;

comment on procedure engram.maintain is
'Does the upkeep that is due, for every tenant: see engram.job for what and how often, engram.job_status for what was done and what is due. jobs: these alone, due or not, until they
are done. every: does nothing if the last maintain() that came to its end began less than that ago, for a scheduler that ticks more often. Called outside of a transaction it commits after each short step, goes on past a job that fails, and raises its error at the end; inside of one it is part of that. One at a time: a second
caller returns at once. Each job stops after the setting maintain.seconds, and the next call goes on. Recall gives right answers without it: strength and time to live are computed
when asked. Raises EG003 for an unknown job.';

revoke all on procedure engram.maintain from public;
