alter type engram.gate_claims add attribute words text[];
alter type engram.gate_claims add attribute ended text[];
-- Read without them: each is read anew when it is needed.
truncate engram.memory_claims;
