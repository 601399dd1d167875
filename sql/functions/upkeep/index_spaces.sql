create or replace function engram.index_spaces(batch integer default 5000) returns bigint
    language plpgsql volatile
    set search_path from current
as $$
declare
    v_space   bigint;
    v_model   engram.embedding_model;
    v_indexed bigint := 0;
begin
    -- Who drops a model waits for it, or is done before the models are read.
    lock table engram.memory in access share mode;

    for v_space in
        select s.space_id
          from engram.space_stat s
         where s.tenant_id = (select engram._tenant_id_in_force()) and s.memories > engram._setting_number('recall.exact_limit')
         order by s.space_id
    loop
        for v_model in select * from engram.embedding_model m where engram._searched(m) order by m.model_id loop
            v_indexed := v_indexed + engram._index_vectors(v_model, v_space, greatest(batch, 0) - v_indexed);
            if v_indexed >= batch then
                return v_indexed;
            end if;
        end loop;

        update engram.space_stat s set indexed = true where s.space_id = v_space and not s.indexed;
    end loop;

    return v_indexed;
end
$$;

comment on function engram.index_spaces is
'Puts up to batch vectors of the spaces of the tenant in force that are above the setting recall.exact_limit, as last counted, into the HNSW index and returns how many; a space whose vectors are all in is searched by it from then on. Until then it is
scanned exactly. Run often, so what was written meanwhile comes in too.';

revoke all on function engram.index_spaces from public;
