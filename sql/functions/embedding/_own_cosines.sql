create or replace function engram._own_cosines(model engram.embedding_model) returns double precision[]
    language plpgsql stable
    set search_path from current
as $$
declare
    v_cosines double precision[];
begin
    execute format(
        'with sample as (
             select e.embedding, row_number() over (order by hashint8(e.memory_id), e.space_id) as place
               from (select * from %s limit 20000) e
         )
         select array_agg(1 - (a.embedding <=> b.embedding))
           from sample a
           join sample b on b.place between a.place + 1 and a.place + 5
          where a.place <= 500', engram._embedding_table(model.model_id))
       into v_cosines;

    return coalesce(v_cosines, '{}');
end
$$;

comment on function engram._own_cosines is 'Cosines of some 2,500 pairs of memories that chance put side by side: how alike unrelated texts are to the model.';

revoke all on function engram._own_cosines from public;
