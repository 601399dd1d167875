create or replace function engram.estimate_tokens(content text) returns integer
    language sql stable strict parallel safe
begin atomic
    select least(ceil(length(l.latin) * engram._setting_number('context.tokens_a_char')
                      + length(estimate_tokens.content) - length(l.latin)), 1e9)::integer
      from (select engram._latin_text(estimate_tokens.content) as latin) l;
end;

comment on function engram.estimate_tokens is
'Estimate of the tokens a language model makes of a text: one a CJK character, else the setting context.tokens_a_char.';
