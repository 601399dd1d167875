create or replace function engram._gate_evidence(c engram.contrast, similarity double precision, lang text) returns jsonb
    language sql stable parallel safe
begin atomic
    select jsonb_strip_nulls(jsonb_build_object(
        'shared', c.shared, 'existing_only', c.only_old, 'incoming_only', c.only_new,
        'cues', nullif(c.cues, '{}'), 'polarity_differs', nullif(c.flipped, false),
        'overlap', case when c.shared is not null then jsonb_build_array(round(c.cover_old::numeric, 3), round(c.cover_new::numeric, 3)) end,
        'similarity', round(_gate_evidence.similarity::numeric, 4),
        'language', _gate_evidence.lang));
end;

comment on function engram._gate_evidence(engram.contrast, double precision, text) is 'What a comparison shows of what it saw.';
