-- All rows of cuda_constructs.
SELECT * FROM cuda_constructs;
