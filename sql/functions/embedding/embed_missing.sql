create or replace function engram.embed_missing(batch integer default 5000) returns bigint
    language plpgsql volatile
    set search_path from current
    set jit = off
as $$
begin
    return engram._embed_missing(null, case when batch < 0 then 0 else batch end);
end
$$;

comment on function engram.embed_missing is
'Makes up to batch vectors of the static model that are missing or of an older text; returns how many. Call it until it returns 0. Other models are filled by the worker.';

revoke all on function engram.embed_missing from public;
