create or replace function engram._same_text(space_id bigint, draft engram.draft) returns engram.memory
    language sql stable
begin atomic
    select m
      from engram.memory m
     where m.space_id = _same_text.space_id
       and m.content_hash = (select engram.content_hash((_same_text.draft).content))   -- once, not for each row
       and m.kind = (_same_text.draft).kind
       and m.collection = (_same_text.draft).collection
       and m.state in ('active', 'retired')
       and (m.state = 'active' and tstzrange(m.valid_from, m.valid_until) && tstzrange((_same_text.draft).valid_from, (_same_text.draft).valid_until)
            or m.created_at = (_same_text.draft).created_at)
     order by m.state, m.memory_id
     limit 1;
end;

comment on function engram._same_text is
'The memory that says exactly this already: the same kind, collection and text, and valid at the same time. A retired one counts only if it is of the
same moment, so that a re-import finds it and a return to an old state does not.';
