create or replace function engram.configure(name text, value text) returns void
    language plpgsql volatile
    set search_path from current
as $$
begin
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
'Sets a setting of this database; null returns to the shipped default. An upgrade keeps the value.';

revoke all on function engram.configure from public;
