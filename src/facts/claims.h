// What is claimed: support of a subject, public statements, and what users call things. Part of facts.h, whose
// conventions hold.
#ifndef GPUADVISE_FACTS_CLAIMS_H
#define GPUADVISE_FACTS_CLAIMS_H

// A support claim (data/support.tsv): kept as text, used by `compat`.
typedef struct Claim {
    const char *subject, *platform, *status, *since_version, *framework_version, *platform_version,
        *gpu_scope, *install_hint;
    const char *source_type, *standing, *note;
    const char *source, *as_of;
} Claim;

// What a public claim speaks of.
typedef enum ClaimKind {
    CLAIM_SERVING,
    CLAIM_TRAINING,
    CLAIM_IMAGES,
    CLAIM_PEAK,
    CLAIM_BILL,
    CLAIM_SUPPORT,
    CLAIM_RATIO,
    CLAIM_STATEMENT,
    CLAIM_KIND_COUNT
} ClaimKind;
// serving, training, images, peak, bill, support, ratio, statement
extern const char *const claim_kind_names[];

// What a claim of a ratio holds against each other. Cost: dollars a token; price: dollars a GPU-hour, on
// demand.
typedef enum Compared {
    COMPARED_UNKNOWN,
    COMPARED_SERVING,
    COMPARED_TRAINING,
    COMPARED_COST,
    COMPARED_PRICE,
    COMPARED_ALL_REDUCE,
    COMPARED_MEMORY,
    COMPARED_COUNT
} Compared;
// unknown (taken as serving), serving, training, cost, price, all-reduce, memory
extern const char *const compared_names[];

// A figure or statement about CUDA, ROCm or their GPUs that circulates (data/claims.tsv), or one of the
// user's own. What it does not state is "", NaN or DTYPE_UNKNOWN.
typedef struct PublicClaim {
    const char *claim;  // its name
    ClaimKind kind;
    const char *what;         // what it says, in our words
    const char *model, *gpu;  // ids, or names as users type them
    double gpus;
    int weights;  // Dtype; peak: the dtype of the figure
    double batch, isl_tokens, osl_tokens;
    double steps;         // images: denoising steps
    double tokens_per_s;  // serving: output tokens; training: trained ones; of all GPUs
    double images_per_s, tflops;
    double usd_per_hour, usd_per_gpu_hour;  // of all GPUs; of one
    double usd_per_mtok;                    // output tokens
    double hours, usd_total;                // bill
    // support: as in data/support.tsv; statement: subject is a count of `claim_count_names`, or ""
    const char *subject, *platform, *status;
    Compared compares;  // ratio
    // ratio: of the first side, and of the other one where that names none
    const char *engine;
    const char *against_gpu, *against_engine;  // ratio: the other side; "": the same as the first
    double against_gpus;
    // ratio: first side over the other; statement: a share, or months. NaN: open to that side
    double claimed_low, claimed_high;
    const char *source, *as_of;
} PublicClaim;

// What a word of data/names.tsv names.
typedef enum NamedKind {
    NAMED_GPU,
    NAMED_PROVIDER,
    NAMED_SUBJECT,
    NAMED_API,
    NAMED_VARIANT,
    NAMED_KIND_COUNT
} NamedKind;
extern const char *const named_kind_names[];  // gpu, provider, subject, api, variant

// What users and other tools call a row of the catalog, or something that they may expect there
// (data/names.tsv).
typedef struct UserName {
    NamedKind kind;
    const char *name;  // lower case, with '-' where users may type a blank, '_' or '.'
    // ids with "; " between them, the first one first; variant: a dtype; "": nothing that the catalog has
    const char *means;
    const char *note;  // why, or what is known instead; read behind the name and a colon
    const char *source, *as_of;
} UserName;

#endif
