-- The user's own rows that are not among the facts, and why.
SELECT table_name, name, left_out FROM own_fact WHERE left_out IS NOT NULL ORDER BY id;
