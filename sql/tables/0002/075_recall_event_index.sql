create index recall_event_memory on engram.recall_event (tenant_id, space_id, memory_id);
