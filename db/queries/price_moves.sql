-- How the prices of each class of sellers move within some days.
SELECT * FROM price_moves;
