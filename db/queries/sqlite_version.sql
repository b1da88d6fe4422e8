-- Version of the SQLite library in use, for `doctor`.
SELECT sqlite_version();
