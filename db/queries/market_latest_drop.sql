-- A row is no longer the last word.
DELETE FROM offer_latest WHERE id = :id;
