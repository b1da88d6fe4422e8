-- The run of the user's own that says the same.
SELECT id, content FROM own_run WHERE identity = :identity;
