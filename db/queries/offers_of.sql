-- The newest word on every offer of one GPU, and the words that it replaced.
SELECT * FROM offer_current WHERE sku_id = :sku_id;
