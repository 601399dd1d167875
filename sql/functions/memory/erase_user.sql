create or replace function engram.erase_user(user_id text) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_space  bigint := engram._space_of(user_id);
    v_tenant text   := engram._tenant_in_force();
    v_tables regclass[];
    v_table  regclass;
    v_count  bigint;
    v_rows   jsonb  := '{}';
    v_keys   bigint;
begin
    perform engram._close_space(v_space);
    -- No model is dropped from here on, with its table.
    lock table engram.memory in access share mode;

    v_tables := array(
        select c.oid::regclass
          from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'space_id' and not a.attisdropped
         where c.relnamespace = 'engram'::regnamespace and c.relkind = 'r'
         -- recall_event first: who folds events holds them while it counts them in memory_stat.
         order by c.relname = 'space', c.relname = 'memory', c.relname <> 'recall_event', c.relname);
    foreach v_table in array v_tables loop  -- all of them first, for one that is deleted takes others with it
        execute format('select count(*) from %s t where t.space_id = $1', v_table) into v_count using v_space;
        v_rows := v_rows || jsonb_build_object((select c.relname from pg_class c where c.oid = v_table), v_count);
    end loop;
    foreach v_table in array v_tables loop
        execute format('delete from %s t where t.space_id = $1', v_table) using v_space;
    end loop;

    delete from engram.api_key k where k.tenant = v_tenant and k.users <@ array[erase_user.user_id];
    get diagnostics v_keys = row_count;
    update engram.api_key k
       set users = array_remove(k.users, erase_user.user_id)
     where k.tenant = v_tenant and k.users @> array[erase_user.user_id];

    return jsonb_build_object(
        'hard', true, 'memories', v_rows -> 'memory', 'edges', v_rows -> 'edge', 'recall_events', v_rows -> 'recall_event',
        'decisions', v_rows -> 'decision', 'api_keys', v_keys, 'rows', v_rows,
        'vectors', (select coalesce(sum(r.value::bigint), 0) from jsonb_each_text(v_rows) r where r.key ~ '^embedding_[0-9]+$'));
end
$$;

comment on function engram.erase_user is
'Erases a person: every memory of the user with all that was made of it, the history and its texts, the name itself, in every table, and the name in API keys, of which those for nobody
else go too. For good: nothing undoes it. The user is always named, ''default'' as well. Returns a receipt with the rows of each table. Works only in the tenant in force; runs as the owner, since
some of these tables are closed to everyone else. Only writers may call it. Raises EG002 without a user.';

revoke all on function engram.erase_user from public;

create or replace function engram._close_space(space_id bigint) returns void
    language plpgsql volatile
    set search_path from current
as $$
begin
    -- Some writers take the row of the space and then its lock, others the lock and then, by a foreign key, the row. So who holds the one here does not wait for the other, but lets go
    -- of it, by failing, and waits for the other alone.
    loop
        begin
            perform from engram.space s where s.space_id = _close_space.space_id for update;
            exit when pg_try_advisory_xact_lock(space_id);
            raise exception 'busy';
        exception when raise_exception then
            null;
        end;
        begin
            perform pg_advisory_xact_lock(space_id);
            raise exception 'busy';
        exception when raise_exception then
            null;
        end;
    end loop;
end
$$;

comment on function engram._close_space is
'Waits until nobody writes to a space, and keeps everybody off to the end of the transaction: its row and its lock, with no deadlock between this and any writer.';

revoke all on function engram._close_space from public;
