insert into engram.write_policy (kind, policy) values ('*', 'resolve')
on conflict (kind) do nothing;
