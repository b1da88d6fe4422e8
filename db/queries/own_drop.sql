-- Forgets a row of the user's own.
DELETE FROM own_fact WHERE id = :id;
