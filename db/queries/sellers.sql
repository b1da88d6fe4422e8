-- What kind of seller each provider is.
SELECT * FROM sellers;
