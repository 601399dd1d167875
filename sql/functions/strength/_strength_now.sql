create or replace function engram._strength_now(
    importance       double precision,
    lambda           double precision,
    reinforced_at    timestamptz,
    last_recalled_at timestamptz,
    recalls          integer
) returns double precision
    language sql stable parallel safe
begin atomic
    select engram.ebbinghaus_strength(
        _strength_now.importance, _strength_now.lambda,
        (date_part('epoch', now()) - date_part('epoch', greatest(_strength_now.reinforced_at, _strength_now.last_recalled_at))) / 86400,
        coalesce(_strength_now.recalls, 0));
end;

comment on function engram._strength_now is 'Strength of a memory at the start of this transaction, from the columns of memory, kind and memory_stat.';
