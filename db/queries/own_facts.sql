-- The user's own rows of a table, in the order of arrival.
SELECT id, name, content, left_out FROM own_fact WHERE table_name = :table_name ORDER BY id;
