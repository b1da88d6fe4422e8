-- The value kept under :key.
SELECT value FROM meta WHERE key = :key;
