create or replace function engram._index_memory(
    space_id  bigint,
    memory_id bigint,
    lexemes   tsvector
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (select from engram.memory m where m.space_id = _index_memory.space_id and m.memory_id = _index_memory.memory_id
                      and m.tenant_id = engram._tenant_id_in_force()) then
        return;
    end if;

    insert into engram.lexeme_key (space_id, memory_id, keys, counts, length)
    select _index_memory.space_id, _index_memory.memory_id,
           coalesce(array_agg(hashtextextended(l.lexeme, _index_memory.space_id)), '{}'),
           coalesce(array_agg(l.count), '{}'),
           coalesce(sum(l.count) filter (where l.placed), 0)
      from (
          select u.lexeme, u.positions is not null as placed, greatest(cardinality(u.positions), 1)::smallint as count
            from unnest(_index_memory.lexemes) as u
      ) l
    on conflict on constraint lexeme_key_pkey do update
       set keys = excluded.keys, counts = excluded.counts, length = excluded.length;
end
$$;

comment on function engram._index_memory is
'Writes the keys by which the lexical leg finds a memory of the tenant in force. Whole identifiers, which have no position, do not count as length. Only writers may call it.';

revoke all on function engram._index_memory from public;
