create or replace function engram.export_all() returns setof jsonb
    language sql stable
    rows 10000
begin atomic
    select e.entry
      from engram._open_users() as u (user_id)
     cross join lateral engram.export(u.user_id) as e (entry);
end;

comment on function engram.export_all is
'engram.export() of every user of the tenant in force, one user after the other, as of one moment: to move a tenant. engram.import() gives each row to the user that it names. In a session that
engram.users limits, of the users that are open. What belongs to the database and not to a user (settings, kinds, models, keys, roles) is not in it. Raises EG006 without a tenant where one is required.';
