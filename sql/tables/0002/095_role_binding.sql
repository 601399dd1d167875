create table engram.role_binding (
    role     name primary key,
    tenant   text not null check (tenant <> ''),
    bound_at timestamptz not null default now()
);

comment on table engram.role_binding is
'Database roles that belong to one tenant, whatever they set: engram.bind_role() writes them. By name, so that a dump can be restored where the role is
still to be made. Closed to everyone but the owner; the functions that look up the tenant of a session read it.';
