create or replace function engram._check_versions(functions text) returns table ("check" text, status text, detail text, fix text)
    language plpgsql stable
    set search_path from current
as $$
declare
    v_functions text := engram._setting_text('installed.functions');
    v_extension text := (select e.extversion from pg_extension e where e.extname = 'engram');
    v_available text;
    v_vector    text;
begin
    select a.default_version, a.installed_version into v_available, v_vector from pg_available_extensions a where a.name = 'vector';

    return query values
        ('schema version',
         case when _check_versions.functions is distinct from v_functions and _check_versions.functions is not null then 'error' else 'ok' end,
         case when _check_versions.functions is distinct from v_functions and _check_versions.functions is not null
              then format('the functions are of release %s, build %s; the program that asks is of build %s', engram.version(), v_functions, _check_versions.functions)
              else format('release %s, build %s', engram.version(), v_functions) end,
         'Run: engram-pg migrate'),
        ('extension versions',
         case when v_extension <> engram.version() or v_vector <> v_available then 'warning' else 'ok' end,
         concat_ws('; ',
                   case when v_vector <> v_available then format('pgvector %s is installed, the server has %s', v_vector, v_available)
                        else 'pgvector is what the server has' end,
                   case when v_extension <> engram.version() then format('extension engram says %s, the schema is of release %s', v_extension, engram.version()) end),
         concat_ws(' ',
                   case when v_vector <> v_available then 'ALTER EXTENSION vector UPDATE;' end,
                   -- Nothing belongs to it, so that drops nothing.
                   case when v_extension <> engram.version() then 'DROP EXTENSION engram; CREATE EXTENSION engram;' end));
end
$$;

comment on function engram._check_versions is
'doctor(): whether the schema is what the program that asks was made for (functions: the fingerprint of its own), and the versions of the extensions.';
