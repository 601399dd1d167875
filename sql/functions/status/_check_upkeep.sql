create or replace function engram._check_upkeep() returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_events  bigint := 0;
    v_expired bigint := (select count(*) from engram.memory m where m.expires_at <= now() and m.state = 'active' and not m.pinned);
    v_scanned bigint := 0;
    v_overdue text   := (select string_agg(s.job, ', ' order by s.place) from engram.job_status s where s.overdue);
    v_failed  text   := (select string_agg(format('%s (%s)', s.job, s.last_error), '; ' order by s.place)
                           from engram.job_status s where s.last_outcome = 'failed');
    v_vacuum  jsonb  := engram._vacuum_advice();
begin
    -- An unlogged table can't be read while a server recovers.
    if not pg_is_in_recovery() then
        select count(*) into v_events from (select from engram.recall_event limit 100001) r;
    end if;

    if has_table_privilege('engram.lexeme_key', 'select') then
        select count(*) into v_scanned
          from (select l.space_id from engram.lexeme_key l group by l.space_id
                having count(*) > (select engram._setting_number('recall.exact_limit'))) k
          left join engram.space_stat s using (space_id)
         where s.indexed is not true;
    end if;

    return query values
        ('upkeep jobs', case when v_overdue is null and v_failed is null then 'ok' else 'warning' end,
         case when v_overdue is null and v_failed is null then 'none is overdue or failed'
              else concat_ws('; ', 'overdue: ' || v_overdue, 'failed: ' || v_failed) end,
         case when v_overdue is not null then 'Have engram-pg worker or a scheduler run: CALL engram.maintain();' else 'SELECT * FROM engram.job_status;' end),
        ('dead rows', case when v_vacuum = '[]' then 'ok' else 'warning' end,
         case when v_vacuum = '[]' then 'no table has many' else format('%s tables have many', jsonb_array_length(v_vacuum)) end,
         (select string_agg(v.statement, ' ') from jsonb_array_elements_text(v_vacuum) as v (statement))),
        ('recall events', case when v_events <= 100000 then 'ok' else 'warning' end,
         format('%s wait to be folded into strength', case when v_events <= 100000 then v_events::text else 'over 100,000' end),
         'CALL engram.maintain();'),
        ('expiry', case when v_expired <= 10000 then 'ok' else 'warning' end,
         format('%s expired memories wait to be archived; none is recalled', v_expired),
         'CALL engram.maintain();'),
        ('large spaces', case when v_scanned = 0 then 'ok' else 'warning' end,
         format('%s spaces above the setting recall.exact_limit are still scanned exactly, which is slow', v_scanned),
         'CALL engram.maintain();');
end
$$;

comment on function engram._check_upkeep is 'doctor(): work that waits for maintain(), jobs of it that are overdue or failed, and tables to vacuum.';
