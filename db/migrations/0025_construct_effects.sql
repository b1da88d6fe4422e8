-- What becomes of a construct that is left as it is: the order of a port's work follows from it.
DROP TABLE cuda_constructs;
CREATE TABLE cuda_constructs (
    rule TEXT NOT NULL PRIMARY KEY,  -- id in findings
    area TEXT NOT NULL,  -- source, python, build, container, cluster, language, dependency, project
    class TEXT NOT NULL,  -- automatic, review, manual, blocker
    minutes_low REAL NOT NULL,  -- minutes of work for one `per`
    minutes_high REAL NOT NULL,  -- minutes of work for one `per`
    per TEXT NOT NULL,  -- occurrence, file, kloc (1,000 lines of .cu and .cuh), project
    minutes_basis TEXT NOT NULL,  -- ports, mechanical, judgment
    lanes64 INTEGER NOT NULL,  -- 0 or 1: a hazard only where the target has 64 lanes
    effect TEXT NOT NULL,  -- left as it is: none, build (does not build), run (fails), wrong (silently), slow
    what TEXT NOT NULL,  -- the construct in words
    why TEXT NOT NULL,  -- why it does not move by itself
    fix TEXT NOT NULL,  -- what is usually done
    amd TEXT NOT NULL,  -- counterpart on AMD
    rocm_since TEXT,  -- first ROCm version that has it; NULL: any, or none
    lost TEXT,  -- what a user loses when it is left out
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;