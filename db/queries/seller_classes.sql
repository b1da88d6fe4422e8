-- How many machines a class of sellers is taken to have where nobody counted.
SELECT * FROM seller_classes;
