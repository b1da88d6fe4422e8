-- Runs of the user's own, read from the result files of benchmark tools. They are kept as text, so that a column more needs no migration.
CREATE TABLE own_run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- in the order of arrival; never given twice
    identity TEXT NOT NULL UNIQUE,  -- of what the file says of the run: the same run twice is one
    content TEXT NOT NULL  -- names of the columns, a line break, their cells; separated by tabs
) STRICT;
