-- All rows of models.
SELECT * FROM models;
