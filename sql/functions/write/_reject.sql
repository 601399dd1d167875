create or replace function engram._reject(space_id bigint, memory_id bigint, draft engram.draft, similarity double precision, evidence jsonb)
    returns engram.remembered
    language plpgsql volatile
    set search_path from current
as $$
begin
    return row(memory_id, 'reject', null, similarity, evidence,
               engram._record(space_id, 'reject', memory_id, null, similarity,
                              evidence || jsonb_build_object('incoming', draft.content)))::engram.remembered;
end
$$;

comment on function engram._reject is
'Refuses a text that is known: no memory is added or changed, not even the time of the last confirmation. The decision keeps the text, so that history tells why it is not there.';
