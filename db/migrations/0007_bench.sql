-- Benchmark runs of this machine, kept as they were measured.

CREATE TABLE bench_run (
    id INTEGER PRIMARY KEY,  -- in the order of measuring
    taken_at TEXT NOT NULL,  -- UTC, RFC 3339
    tool_version TEXT NOT NULL,  -- of the program that measured
    system TEXT NOT NULL,  -- kernel name, release, machine
    options TEXT NOT NULL,  -- the command line
    complete INTEGER NOT NULL  -- 0: interrupted
) STRICT;

CREATE TABLE bench_device (
    run INTEGER NOT NULL REFERENCES bench_run (id) ON DELETE CASCADE,  -- the run
    id TEXT NOT NULL,  -- name in the answer: cpu, gpu0
    vendor TEXT NOT NULL,  -- cpu, nvidia, amd
    name TEXT NOT NULL,  -- as the device or its driver says
    sku_id TEXT,  -- of the catalog then; NULL: not mapped; no reference: SKUs come and go with releases
    pci TEXT,  -- PCI address; NULL: none
    driver TEXT,  -- kernel driver and version; NULL: none
    state TEXT NOT NULL,  -- tested, not tested, failed
    why TEXT,  -- why it was not tested, or what failed
    how TEXT,  -- instruction set, threads
    memory TEXT,  -- working set
    PRIMARY KEY (run, id)
) STRICT;

CREATE TABLE bench_result (
    run INTEGER NOT NULL REFERENCES bench_run (id) ON DELETE CASCADE,  -- the run
    device TEXT NOT NULL,  -- bench_device.id
    test TEXT NOT NULL,  -- name of the test
    dtype TEXT NOT NULL,  -- of the data
    shape TEXT NOT NULL,  -- sizes
    unit TEXT NOT NULL,  -- of median, p5, p95, burst, library_ceiling
    median REAL,  -- steady; NULL: not measured, or wrong
    p5 REAL,  -- 5th percentile of the batches
    p95 REAL,  -- 95th percentile of the batches
    burst REAL,  -- median of the first 50 ms
    samples REAL,  -- batches
    library_ceiling REAL,  -- the same by a vendor's library
    library TEXT,  -- its name; NULL: none
    verified INTEGER NOT NULL,  -- 1: every check against the reference passed
    max_error REAL,  -- largest error of the checked outputs
    max_error_of_bound REAL,  -- over the bound of that output; over 1 is wrong
    checked REAL,  -- outputs compared
    verdict TEXT NOT NULL,  -- as expected, a little low, low, no reference, wrong, failed
    clock_mhz REAL,  -- MHz while it ran
    power_w REAL,  -- W, from the energy counter
    temperature_c REAL,  -- degrees Celsius at the end
    error TEXT,  -- why there is no figure
    PRIMARY KEY (run, device, test)
) STRICT;

CREATE TRIGGER bench_run_stays BEFORE UPDATE ON bench_run BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;
CREATE TRIGGER bench_device_stays BEFORE UPDATE ON bench_device BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;
CREATE TRIGGER bench_result_stays BEFORE UPDATE ON bench_result BEGIN
    SELECT RAISE(ABORT, 'observations are append-only');
END;
