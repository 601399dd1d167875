create or replace function engram.configure(name text, value text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_pattern constant boolean := name in ('handoff.asked', 'handoff.articles') or name ^@ 'handoff.doing_';
    v_known   engram.setting;
    v_hint    text;
begin
    select * into v_known from engram.setting s where s.name = configure.name;
    if not found then
        raise exception using
            errcode = 'EG003',
            message = format('setting %L does not exist', configure.name),
            hint    = 'SELECT name, description FROM engram.setting; lists them.';
    end if;

    v_hint := case
        when configure.name = 'tenancy' then 'SELECT engram.require_tenant(); changes the policies too.'
        when configure.name in ('static_model.version', 'installed.functions', 'gate.lexicon') then 'It keeps an account of what is there, and is set by what changes that.'
        -- Numbers are what the functions read without asking: one that is none would stop them all.
        when pg_input_is_valid(v_known.default_value, 'double precision')
         and not (configure.value is null
                  or pg_input_is_valid(configure.value, 'double precision') and configure.value::double precision between 0 and 2147483647)
        then 'It is a number, 0 to 2147483647; null returns to the shipped default.'
    end;
    if v_hint is not null then
        raise exception using errcode = 'EG002', message = format('setting %L cannot be %L', configure.name, configure.value), hint = v_hint;
    end if;

    begin
        perform case when v_pattern then configure.value ~* configure.value
                     when configure.name = 'consolidate.left_alone' then configure.value like configure.value end;
    exception when invalid_regular_expression or invalid_escape_sequence then
        raise exception using
            errcode = 'EG002',
            message = sqlerrm,
            hint    = format('It is a %s; null returns to the shipped default.',
                             case when v_pattern then 'regular expression of PostgreSQL' else 'pattern of LIKE' end);
    end;

    update engram.setting s set value = configure.value where s.name = configure.name;
end
$$;

comment on function engram.configure is
'Sets a setting of this database; null returns to the shipped default. An upgrade keeps the value.
Raises EG002 for a number that is none or negative, a pattern that is none and a setting that is not for setting by hand, EG003 for an unknown setting.';

revoke all on function engram.configure from public;
