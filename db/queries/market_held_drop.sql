-- A held row is held no longer.
DELETE FROM offer_held WHERE id = :id;
