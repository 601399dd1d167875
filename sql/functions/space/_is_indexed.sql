create or replace function engram._is_indexed(space_id bigint) returns boolean
    language plpgsql stable parallel safe
    set search_path from current
as $$
begin
    return exists (select from engram.space_stat s
                    where s.space_id = _is_indexed.space_id and s.indexed and s.memories > engram._setting_number('recall.exact_limit'));
end
$$;

comment on function engram._is_indexed is 'Whether the nearest of a space are looked up in the HNSW index of its vectors; else all of them are compared.';
