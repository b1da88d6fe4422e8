-- Forgets a run of the user's own; gives its id where it was there.
DELETE FROM own_run WHERE id = :id RETURNING id;
