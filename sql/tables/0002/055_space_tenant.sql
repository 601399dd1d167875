create index space_tenant on engram.space (tenant_id, space_id);

comment on index engram.space_tenant is 'Finds the spaces of a tenant, over which the upkeep goes.';
