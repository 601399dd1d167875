create or replace function engram.embed(content text)
    returns halfvec
    language plpgsql stable strict parallel safe
    set search_path from current
    set jit = off
as $$
begin
    return (
        select l2_normalize(sum((select t.vector::vector from engram.static_token as t where t.token = key)))::halfvec
          from unnest(engram._static_tokens(content)) as key);
end
$$;

comment on function engram.embed(text) is
'The vector of a text by the static model: 256 components, unit length, in any language, from the rows of engram.static_token.
Nothing leaves the database. Deterministic; the same text gives the same vector. NULL only for NULL and for white space alone;
words the model doesn''t know count by their pieces, numbers and symbols count too. The first 32,768 characters count.';
