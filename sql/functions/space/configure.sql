create or replace function engram.configure(name text, value text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    v_known engram.setting;
begin
    select * into v_known from engram.setting s where s.name = configure.name;
    -- Numbers are what the functions read without asking: one that is none would stop them all.
    if pg_input_is_valid(v_known.default_value, 'double precision')
       and not (configure.value is null
                or pg_input_is_valid(configure.value, 'double precision') and configure.value::double precision between 0 and 2147483647)
       or configure.name = 'tenancy'
    then
        raise exception using
            errcode = 'EG002',
            message = format('setting %L cannot be %L', configure.name, configure.value),
            hint    = case when configure.name = 'tenancy' then 'SELECT engram.require_tenant(); changes the policies too.'
                           else 'It is a number, 0 to 2147483647; null returns to the shipped default.' end;
    end if;

    if configure.name = 'handoff.asked' then
        begin
            perform '' ~* configure.value;
        exception when invalid_regular_expression then
            raise exception using errcode = 'EG002', message = sqlerrm, hint = 'It is a regular expression of PostgreSQL; null returns to the shipped default.';
        end;
    end if;

    update engram.setting s
       set value = configure.value
     where s.name = configure.name;

    if not found then
        raise exception using
            errcode = 'EG003',
            message = format('setting %L does not exist', configure.name),
            hint    = 'SELECT name, description FROM engram.setting; lists them.';
    end if;
end
$$;

comment on function engram.configure is
'Sets a setting of this database; null returns to the shipped default. An upgrade keeps the value.
Raises EG002 for a number that is none or negative and a pattern that is none, EG003 for an unknown setting.';

revoke all on function engram.configure from public;
