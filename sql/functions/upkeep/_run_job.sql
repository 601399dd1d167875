create or replace function engram._run_job(job text, state jsonb, batch integer) returns jsonb
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_rows bigint;
begin
    case job
        when 'prune', 'purge' then
            return engram._sweep(job, state, batch);
        when 'read' then
            return engram._read_step(state, least(batch, 500));
        when 'consolidate' then
            return engram._consolidate_step(state);
        when 'vacuum' then
            return jsonb_build_object('rows', 0, 'done', true, 'detail', jsonb_build_object('advice', engram._vacuum_advice()));
        when 'fold'   then v_rows := engram.fold_recalls(batch);
        when 'expire' then v_rows := engram.expire(batch);
        when 'count'  then v_rows := engram.count_spaces();
        when 'index'  then v_rows := engram.index_spaces(batch);
    end case;
    return jsonb_build_object('rows', v_rows, 'done', v_rows < batch or job = 'count');
end
$$;

comment on function engram._run_job is
'Does a batch of a job of maintain() for the tenant in force, from where the state of the batch before says. Returns rows, how many it handled; done, whether nothing is left; state, where to go
on; and detail, counts for job_run.';

revoke all on function engram._run_job from public;
