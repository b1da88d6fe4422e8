// What serving engines were measured to do and cannot do: at which loads, in which precisions, by which
// blocks. Level 0; the conventions of facts.h hold.
#ifndef GPUADVISE_FACTS_ENGINES_H
#define GPUADVISE_FACTS_ENGINES_H

// How a load is known to be one that an engine carries on an architecture.
typedef enum LoadKind {
    LOAD_MEASURED,  // rows of data/measurements.tsv show it
    LOAD_SAID,      // a source, or rows of a neighbouring architecture, say that it holds there
} LoadKind;
extern const char *const load_kind_names[];

// The most requests in flight on one replica of an engine on an architecture (data/engine_loads.tsv).
typedef struct EngineLoad {
    const char *engine;
    int vendor;
    const char *architecture;
    LoadKind kind;
    double sequences;  // most in flight on one replica; said: up to so many
    // measured: rows of data/measurements.tsv with a known number in flight, none of them held out or a burst whose
    // prompts may have waited; said: NaN
    double rows;
    const char *note;
    const char *source, *as_of;
} EngineLoad;

// Where an engine runs weights other than data/precisions.tsv says of the architecture
// (data/engine_precisions.tsv).
typedef struct EnginePrecision {
    const char *engine;
    int vendor;
    const char *architecture;
    int weights;         // Dtype stored
    const char *layers;  // dense, moe: models of this kind alone; "": all
    // Dtype of the arithmetic; DTYPE_UNKNOWN: the engine does not run these weights there
    int compute;
    const char *status;  // native, weight-only, emulated, refused
    const char *note;    // refused: why, as the end of a sentence
    const char *source, *as_of;
} EnginePrecision;

// A released checkpoint whose weights are quantised in blocks and that is not what models.tsv has as native
// (data/block_checkpoints.tsv).
typedef struct BlockCheckpoint {
    const char *model_id;
    int weights;   // Dtype
    double block;  // columns and rows that share a scale
    const char *hf_name;
    const char *source, *as_of;
} BlockCheckpoint;

// How a release of an engine runs where nobody told it otherwise (data/engine_defaults.tsv): of the rows that hold,
// the last.
typedef struct EngineDefaults {
    const char *engine;
    double from_release;           // as src/perf/version.h counts
    const char *from_date;         // of that release, for runs that say a date alone
    int large;                     // bool: of GPUs of 70 GiB or more that are no A100
    double max_running_sequences;  // NaN: as in data/engine_limits.tsv
    double chunk_tokens;  // of prompts beside a step of decoding; NaN: prompts are read ahead of decoding
    const char *source, *as_of;
} EngineDefaults;

// Submitters of measurements who are one publisher (data/publishers.tsv): their rows may share a method, a
// machine or an author.
typedef struct Publisher {
    const char *submitter, *publisher;
    const char *note;
    const char *source, *as_of;
} Publisher;

#endif
