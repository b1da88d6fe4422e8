-- What a process of an engine takes besides weights and caches, and the bits of its usual files of 4 bits. Facts are loaded anew.
DROP TABLE engine_limits;
CREATE TABLE engine_limits (
    engine TEXT NOT NULL PRIMARY KEY,  -- as in engines
    memory_fraction REAL NOT NULL,  -- share of the memory named by fraction_of, 0 to 1
    fraction_of TEXT NOT NULL,  -- memory: of all that is usable; rest: of what weights leave
    process_gb REAL,  -- driver context, buffers and graphs of one process, GB; NULL: workspace_gb_per_gpu of constants
    max_running_sequences REAL NOT NULL,  -- sequences a replica
    chunk_tokens REAL NOT NULL,  -- prefill tokens mixed into one step
    spread_step_ratio REAL,  -- time of a step whose experts are spread over replicas, over what it takes by itself; NULL: it spreads none
    state_share REAL,  -- share of the room for caches set aside for the state of linear layers; NULL: states come out of the same room
    state_step_tokens REAL,  -- tokens between the points of a prompt from which a kept state can be taken up; NULL: any point
    int4_bits REAL,  -- bits of a weight in its usual files of 4 bits, embeddings and head among them; NULL: those stay in 16 bits
    weights TEXT NOT NULL,  -- dtypes of weights that it runs, separated by blanks
    kv TEXT NOT NULL,  -- dtypes of the KV cache
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL  -- date it speaks of: YYYY, YYYY-MM or YYYY-MM-DD
) STRICT;
