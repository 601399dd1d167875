alter type engram.gate_claims add attribute names text[];   -- tokens written with a capital letter inside a sentence
