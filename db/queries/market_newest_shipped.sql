-- The date of the newest price that ships with the program: a clock before it is wrong.
SELECT coalesce(max(as_of), '') FROM offers;
