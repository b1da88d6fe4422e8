-- All rows of device_ids.
SELECT * FROM device_ids;
