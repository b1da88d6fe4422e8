// Serving engines: where they run, what they take, and what they were measured to do and cannot do: at which
// loads, in which precisions, by which blocks. Level 0; the conventions of facts.h hold.
#ifndef GPUADVISE_FACTS_ENGINES_H
#define GPUADVISE_FACTS_ENGINES_H

#include "src/facts/columns.h"
#include "src/facts/words.h"

// clang-format off
// Which serving engine runs on which architecture (data/engines.tsv), from the claims.
#define ENGINE_SUPPORT_FIELDS(X) \
    X(EngineSupport, TEXT, KEY, engine) \
    X(EngineSupport, NAME, KEY, vendor, int, vendor_names) \
    X(EngineSupport, TEXT, KEY, architecture) \
    X(EngineSupport, NAME, MUST, status, SupportStatus, support_names) \
    X(EngineSupport, TEXT, MAY, note) \
    ORIGIN(X, EngineSupport)
typedef struct EngineSupport {ENGINE_SUPPORT_FIELDS(MEMBER)} EngineSupport;

// What a serving engine takes for itself (data/engine_limits.tsv).
#define ENGINE_LIMITS_FIELDS(X) \
    X(EngineLimits, TEXT, KEY, engine) \
    /* that the KV cache may fill, weights and workspace included or apart: see fraction_of */ \
    X(EngineLimits, NUM, MUST, memory_fraction, 0.1, 1) \
    /* memory: of all that is usable; rest: of what weights leave, whole lengths reserved */ \
    X(EngineLimits, TEXT, MUST, fraction_of) \
    /* driver context, buffers and graphs of one process, GB; NaN: constant workspace_gb_per_gpu */ \
    X(EngineLimits, NUM, MAY, process_gb, 0, 100) \
    X(EngineLimits, NUM, MUST, max_running_sequences, 1, 1e6)  /* per replica */ \
    X(EngineLimits, NUM, MUST, chunk_tokens, 16, 1e6)          /* prefill tokens mixed into one step */ \
    /* time of a step whose experts are spread over replicas, over that of it alone; NaN: it spreads none */ \
    X(EngineLimits, NUM, MAY, spread_step_ratio, 0.1, 10) \
    /* of the room for caches, set aside for the state of linear layers; NaN: states share that room */ \
    X(EngineLimits, NUM, MAY, state_share, 0.01, 0.99) \
    /* between points of a prompt from which a kept state of linear layers can be taken up; NaN: any point */ \
    X(EngineLimits, NUM, MAY, state_step_tokens, 1, 1e6) \
    /* of a weight in its usual files of 4 bits, embeddings and head among them; NaN: those stay in 16 bits */ \
    X(EngineLimits, NUM, MAY, int4_bits, 3, 8) \
    /* dtypes that it runs, separated by blanks */ \
    X(EngineLimits, TEXT, MUST, weights) \
    X(EngineLimits, TEXT, MUST, kv) \
    /* of a pipeline: in-turn, one works after the other; "": at once */ \
    X(EngineLimits, TEXT, MAY, stages) \
    ORIGIN(X, EngineLimits)
typedef struct EngineLimits {ENGINE_LIMITS_FIELDS(MEMBER)} EngineLimits;

// How a weight dtype runs on an architecture (data/precisions.tsv). A missing row means: not supported.
#define PRECISION_FIELDS(X) \
    X(Precision, NAME, KEY, weights, Dtype, dtype_names)   /* stored */ \
    X(Precision, NAME, KEY, vendor, int, vendor_names) \
    X(Precision, TEXT, KEY, architecture) \
    X(Precision, NAME, MUST, compute, Dtype, dtype_names)  /* the matrix units use */ \
    X(Precision, TEXT, MUST, status)                     /* native, weight-only, emulated */ \
    ORIGIN(X, Precision)
typedef struct Precision {PRECISION_FIELDS(MEMBER)} Precision;
// clang-format on

// How a load is known to be one that an engine carries on an architecture.
typedef enum LoadKind {
    LOAD_MEASURED,  // rows of data/measurements.tsv show it
    LOAD_SAID,      // a source, or rows of a neighbouring architecture, say that it holds there
} LoadKind;
extern const char *const load_kind_names[];

// clang-format off
// The most requests in flight on one replica of an engine on an architecture (data/engine_loads.tsv).
#define ENGINE_LOAD_FIELDS(X) \
    X(EngineLoad, TEXT, KEY, engine) \
    X(EngineLoad, NAME, KEY, vendor, int, vendor_names) \
    X(EngineLoad, TEXT, KEY, architecture) \
    X(EngineLoad, NAME, KEY, kind, LoadKind, load_kind_names) \
    /* most in flight on one replica; said: up to so many */ \
    X(EngineLoad, NUM, MUST, sequences, 1, 1e6) \
    /* measured: rows of data/measurements.tsv with a known number in flight, none of them held out or a */ \
    /* burst whose prompts may have waited; said: NaN */ \
    X(EngineLoad, NUM, MAY, rows, 1, 1e6) \
    X(EngineLoad, TEXT, MAY, note) \
    ORIGIN(X, EngineLoad)
typedef struct EngineLoad {ENGINE_LOAD_FIELDS(MEMBER)} EngineLoad;

// Where an engine runs weights other than data/precisions.tsv says of the architecture
// (data/engine_precisions.tsv).
#define ENGINE_PRECISION_FIELDS(X) \
    X(EnginePrecision, TEXT, KEY, engine) \
    X(EnginePrecision, NAME, KEY, vendor, int, vendor_names) \
    X(EnginePrecision, TEXT, KEY, architecture) \
    X(EnginePrecision, NAME, KEY, weights, Dtype, dtype_names)  /* stored */ \
    /* dense, moe: models of this kind alone; "": all */ \
    X(EnginePrecision, TEXT, KEY_MAY, layers) \
    /* of the arithmetic; DTYPE_UNKNOWN: the engine does not run these weights there */ \
    X(EnginePrecision, NAME, MAY, compute, Dtype, dtype_names) \
    X(EnginePrecision, TEXT, MUST, status)                    /* native, weight-only, emulated, refused */ \
    X(EnginePrecision, TEXT, MUST, note)                      /* refused: why, as the end of a sentence */ \
    ORIGIN(X, EnginePrecision)
typedef struct EnginePrecision {ENGINE_PRECISION_FIELDS(MEMBER)} EnginePrecision;

// A released checkpoint whose weights are quantised in blocks and that is not what models.tsv has as native
// (data/block_checkpoints.tsv).
#define BLOCK_CHECKPOINT_FIELDS(X) \
    X(BlockCheckpoint, TEXT, KEY, model_id) \
    X(BlockCheckpoint, NAME, KEY, weights, Dtype, dtype_names) \
    X(BlockCheckpoint, NUM, MUST, block, 8, 4096)             /* columns and rows that share a scale */ \
    X(BlockCheckpoint, TEXT, MUST, hf_name) \
    ORIGIN(X, BlockCheckpoint)
typedef struct BlockCheckpoint {BLOCK_CHECKPOINT_FIELDS(MEMBER)} BlockCheckpoint;

// How a release of an engine runs where nobody told it otherwise (data/engine_defaults.tsv): of the rows that
// hold, the last.
#define ENGINE_DEFAULTS_FIELDS(X) \
    X(EngineDefaults, TEXT, KEY, engine) \
    X(EngineDefaults, NUM, KEY, from_release, 0, 1e6)           /* as src/perf/version.h counts */ \
    /* of that release, for runs that say a date alone */ \
    X(EngineDefaults, DATE, MUST, from_date) \
    /* bool: of GPUs of 70 GiB or more that are no A100 */ \
    X(EngineDefaults, BOOL, KEY_MAY, large) \
    X(EngineDefaults, NUM, MAY, max_running_sequences, 1, 1e5)  /* NaN: as in data/engine_limits.tsv */ \
    /* of prompts beside a step of decoding; NaN: prompts are read ahead of decoding */ \
    X(EngineDefaults, NUM, MAY, chunk_tokens, 1, 1e6) \
    ORIGIN(X, EngineDefaults)
typedef struct EngineDefaults {ENGINE_DEFAULTS_FIELDS(MEMBER)} EngineDefaults;

// Submitters of measurements who are one publisher (data/publishers.tsv): their rows may share a method, a
// machine or an author.
#define PUBLISHER_FIELDS(X) \
    X(Publisher, TEXT, KEY, submitter) \
    X(Publisher, TEXT, MUST, publisher) \
    X(Publisher, TEXT, MUST, note) \
    ORIGIN(X, Publisher)
typedef struct Publisher {PUBLISHER_FIELDS(MEMBER)} Publisher;
// clang-format on

#endif
