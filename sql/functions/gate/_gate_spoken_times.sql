create or replace function engram._gate_spoken_times(folded text) returns text
    language plpgsql immutable parallel safe
    set search_path from current
as $$
declare
    names constant text[] := array['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve',
                                   'eins', 'zwei', 'drei', 'vier', 'funf', 'sechs', 'sieben', 'acht', 'neun', 'zehn', 'elf', 'zwolf',
                                   'una', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve', 'diez', 'once', 'doce'];
    word  constant text := '([0-9]{1,2}|' || array_to_string(names, '|') || ')';
    m     record;
    hour  integer;
begin
    for m in
        select distinct r[1] as said, r[2] as hour, r[3]::integer as minute, r[4] || 'm' as part
          from regexp_matches(folded, '(\m([0-9]{1,2}):([0-9]{2}) ?([ap])\.? ?m\M\.?)', 'g') r
         where folded like '%:%m%'   -- here and below: what is not there need not be looked for, and its expression not compiled
        union
        select r[1], r[2], r[3]::integer, case r[4] when 'the morning' then 'am' else 'pm' end
          from regexp_matches(folded, '(\m([0-9]{1,2}):([0-9]{2}) (?:in|at) (the morning|the afternoon|the evening|night)\M)', 'g') r
         where folded like any (array['% in the %', '% at night%'])
        union
        select r[1], r[4], case r[2] when 'half' then 30 when 'twenty' then 20 when 'twenty five' then 25 when 'ten' then 10 when 'five' then 5 else 15 end
                         * case r[3] when 'past' then 1 else -1 end, null
          from regexp_matches(folded, '(\m(half|(?:a )?quarter|twenty five|twenty|ten|five) (past|to) ' || word || '\M)', 'g') r
         where folded like any (array['% past %', '% to %'])
        union
        select r[1], r[4], case r[2] when 'halb' then 30 when 'zwanzig' then 20 when 'zehn' then 10 else 15 end * case when r[3] = 'nach' then 1 else -1 end, null
          from regexp_matches(folded, '(\m(halb|viertel|zehn|zwanzig) ?(nach|vor)? ' || word || '\M)', 'g') r
         where folded like any (array['%halb%', '%viertel%', '%zehn%', '%zwanzig%']) and (r[2] = 'halb' or r[3] is not null)
        union
        select r[1], r[2], 0, null
          from regexp_matches(folded, '(\m' || word || ' o ?clock\M)', 'g') r
         where folded like '%clock%'
        union
        select r[1], r[2], case r[3] when ' y media' then 30 when ' y cuarto' then 15 else 0 end, case when r[4] = 'manana' then 'am' else 'pm' end
          from regexp_matches(folded, '(\mlas? ' || word || '( y media| y cuarto)? de la (manana|tarde|noche)\M)', 'g') r
         where folded like '% de la %'
        union
        select r[1], r[2], coalesce(r[3]::integer, 0), null
          from regexp_matches(folded, '(\m' || word || ' uhr(?: ([0-5][0-9]))?\M)', 'g') r
         where folded like '% uhr%'
        union
        select r[1], r[2], r[3]::integer, null
          from regexp_matches(folded, '(\m([0-9]{1,2}) ?h ?([0-5][0-9])\M)', 'g') r
         where folded like any (array['%h %', '%0h%', '%1h%', '%2h%', '%3h%', '%4h%', '%5h%', '%6h%', '%7h%', '%8h%', '%9h%'])
    loop
        hour := coalesce((array_position(names, m.hour) - 1) % 12 + 1, case when m.hour ~ '^[0-9]+$' then m.hour::integer end);
        if hour between 0 and 24 then
            hour   := case m.part when 'pm' then hour % 12 + 12 when 'am' then hour % 12 else hour end;
            folded := replace(folded, m.said, lpad(((hour * 60 + m.minute + 1440) / 60 % 24)::text, 2, '0') || ':' || lpad(((m.minute + 60) % 60)::text, 2, '0'));
        end if;
    end loop;
    return folded;
end
$$;

comment on function engram._gate_spoken_times(text) is 'Times of the day in words, written in digits: half past seven, halb acht and 7:30 am are 07:30, las diez de la noche is 22:00.';
