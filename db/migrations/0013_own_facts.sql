-- Facts of the user's own. They are kept as they were given, and join the tables of facts whenever those are rebuilt.
CREATE TABLE own_fact (
    id INTEGER PRIMARY KEY,  -- in the order of arrival
    table_name TEXT NOT NULL,  -- gpus, models, workloads, support
    name TEXT NOT NULL,  -- first column of its key
    content TEXT NOT NULL,  -- names of the columns, a line break, their cells; separated by tabs
    left_out TEXT  -- why it is not among the facts; NULL: it is
) STRICT;
