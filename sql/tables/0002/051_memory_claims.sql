-- Read by the rules of an older version: each is read anew when it is needed.
truncate engram.memory_claims;

-- Without its accent it is the French negation ne.
delete from engram.polarity_term where lang = 'fr' and term = 'né' and role = 'single' and shipped;
