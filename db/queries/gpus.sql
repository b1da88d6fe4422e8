-- All rows of gpus.
SELECT * FROM gpus;
