-- Each fault of the file's pages, or one row 'ok' where they have none; then each row whose reference leads nowhere.
SELECT integrity_check AS fault FROM pragma_integrity_check
UNION ALL
SELECT 'table ' || "table" || ', row ' || coalesce(rowid, '?') || ': a reference to ' || parent || ' leads nowhere' FROM pragma_foreign_key_check;
