-- An offer left its feed.
UPDATE offer_latest SET gone = 1 WHERE id = :id;
