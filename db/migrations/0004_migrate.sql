-- Facts for porting: constructs that do not move by themselves, ports that happened, factors of the effort model.

-- Python packages and their ROCm status: two columns more. Facts are loaded anew after every change of the schema.
DROP TABLE packages;
CREATE TABLE packages (
    package TEXT NOT NULL PRIMARY KEY,  -- name in the Python package index
    rocm_status TEXT NOT NULL,  -- none, pure-python, works-unchanged, different-wheel, fork, partial, ...
    install_instead TEXT,  -- what to install on ROCm
    effort_class REAL,  -- as in libraries
    lost TEXT,  -- what a user loses when it is left out
    trap TEXT,  -- how an install goes wrong without an error
    note TEXT,  -- remarks for people
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- Rules of the porting scan: what does not move to ROCm by itself, and the work that it takes.
CREATE TABLE cuda_constructs (
    rule TEXT NOT NULL PRIMARY KEY,  -- id in findings
    area TEXT NOT NULL,  -- source, python, build, container, cluster, dependency, project
    class TEXT NOT NULL,  -- automatic, review, manual, blocker
    minutes_low REAL NOT NULL,  -- minutes of work for one `per`
    minutes_high REAL NOT NULL,  -- minutes of work for one `per`
    per TEXT NOT NULL,  -- occurrence, file, kloc (1,000 lines of .cu and .cuh), project
    minutes_basis TEXT NOT NULL,  -- ports, mechanical, judgment
    lanes64 INTEGER NOT NULL,  -- 0 or 1: a hazard only where the target has 64 lanes
    what TEXT NOT NULL,  -- the construct in words
    why TEXT NOT NULL,  -- why it does not move by itself
    fix TEXT NOT NULL,  -- what is usually done
    amd TEXT NOT NULL,  -- counterpart on AMD
    rocm_since TEXT,  -- first ROCm version that has it; NULL: any, or none
    lost TEXT,  -- what a user loses when it is left out
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- Ports to HIP that happened, with the author-days of their histories.
CREATE TABLE ports (
    port TEXT NOT NULL PRIMARY KEY,  -- short name
    title TEXT NOT NULL,  -- what was ported
    cuda_files REAL,  -- .cu and .cuh files before the port
    cuda_loc REAL,  -- lines in them
    asm_blocks REAL,  -- inline assembly blocks
    lane_uses REAL,  -- warp intrinsics, 32-bit masks, lane arithmetic with 32
    wmma_uses REAL,  -- uses of matrix fragments
    library_uses REAL,  -- uses of libcu++, includes of Thrust and CUB
    launches REAL,  -- kernel launches
    weights_low_days REAL,  -- days of 480 minutes: low minutes of all constructs found
    weights_high_days REAL,  -- days of 480 minutes: high minutes of all constructs found
    scope TEXT NOT NULL,  -- first-port, product, upkeep: what the author-days cover
    years REAL NOT NULL,  -- years that they span; 0: a first port
    commits REAL,  -- in the history looked at
    authors REAL,  -- in the history looked at
    author_days REAL,  -- distinct pairs of author and calendar day
    squashed TEXT NOT NULL,  -- yes: author-days undercount; no; unknown
    how TEXT NOT NULL,  -- how it was done
    left_out TEXT,  -- what was not ported or not counted
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;

-- Numbers of the effort model that are not fitted to ports.
CREATE TABLE effort_factors (
    factor TEXT NOT NULL PRIMARY KEY,  -- name in the program
    value REAL NOT NULL,  -- in `unit`
    unit TEXT NOT NULL,  -- of value
    what TEXT NOT NULL,  -- what it does
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;
