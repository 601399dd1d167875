create or replace function engram._static_tokens(content text)
    returns text[]
    language plpgsql stable strict parallel safe
    set search_path from current
as $$
declare
    east_asian constant text := '^[\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff'
                                '\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]';
    plain      constant text := engram._static_plain(left(content, 32768));
    runs       text[] := engram._static_runs(plain);
    unspaced   text;
    tokens     text[];
    unknown    text[];
begin
    if runs = '{}' then
        runs := array(select letter from string_to_table(left(plain, 1024), null) as letter where letter !~ '\s');
    end if;

    if octet_length(plain) <> length(plain) then
        select array_agg(run) filter (where run !~ east_asian), string_agg(run, ' ') filter (where run ~ east_asian)
          into runs, unspaced
          from unnest(runs) as run;
    end if;

    select array_agg(r.token) filter (where r.token is not null),
           array_agg(r.run) filter (where r.token is null)
      into tokens, unknown
      from (select run, (select t.token from engram.static_token as t where t.token = word) as token
              from unnest(runs, string_to_array(engram._static_fold(array_to_string(runs, ' ')), ' ')) as w (run, word)
            offset 0) as r;

    if unknown is not null then
        tokens := tokens || engram._static_parts(unknown);
    end if;
    if unspaced is not null then
        tokens := tokens || engram._static_grams(left(unspaced, 8192));
    end if;
    return coalesce(tokens, '{}');
end
$$;

comment on function engram._static_tokens(text) is
'The rows of engram.static_token whose mean stands for a text, repeats included, in no set order. Empty only for text of white
space alone. Words are looked up whole, then by the parts of camelCase, then by pieces. The first 32,768 characters count.';
