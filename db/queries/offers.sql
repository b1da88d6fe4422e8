-- The newest word on every offer, and the words that it replaced.
SELECT * FROM offer_current;
