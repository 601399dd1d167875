-- Read by the rules of an older version: each is read anew when it is needed.
truncate engram.memory_claims;
