// What is claimed: support of a subject, public statements, and what users call things. Part of facts.h, whose
// conventions hold.
#ifndef GPUADVISE_FACTS_CLAIMS_H
#define GPUADVISE_FACTS_CLAIMS_H

#include "src/facts/columns.h"
#include "src/facts/words.h"

// clang-format off
// A support claim (data/support.tsv): kept as text, used by `compat`.
#define CLAIM_FIELDS(X) \
    X(Claim, TEXT, KEY, subject) \
    X(Claim, TEXT, KEY, platform) \
    X(Claim, TEXT, KEY, status) \
    X(Claim, TEXT, KEY_MAY, since_version) \
    X(Claim, TEXT, KEY_MAY, framework_version) \
    X(Claim, TEXT, KEY_MAY, platform_version) \
    X(Claim, TEXT, KEY_MAY, gpu_scope) \
    X(Claim, TEXT, MAY, install_hint) \
    X(Claim, TEXT, MAY, source_type) \
    X(Claim, TEXT, MUST, standing) \
    X(Claim, TEXT, MAY, note) \
    X(Claim, TEXT, KEY, source) \
    X(Claim, DATE, KEY, as_of)
typedef struct Claim {CLAIM_FIELDS(MEMBER)} Claim;
// clang-format on

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

// clang-format off
// A figure or statement about CUDA, ROCm or their GPUs that circulates (data/claims.tsv), or one of the
// user's own. What it does not state is "", NaN or DTYPE_UNKNOWN.
#define PUBLIC_CLAIM_FIELDS(X) \
    X(PublicClaim, TEXT, KEY, claim)                               /* its name */ \
    X(PublicClaim, NAME, MUST, kind, ClaimKind, claim_kind_names) \
    X(PublicClaim, TEXT, MUST, what)                               /* what it says, in our words */ \
    X(PublicClaim, TEXT, MAY, model)                               /* ids, or names as users type them */ \
    X(PublicClaim, TEXT, MAY, gpu) \
    X(PublicClaim, NUM, MAY, gpus, 1, 100000) \
    /* peak: the dtype of the figure */ \
    X(PublicClaim, NAME, MAY, weights, Dtype, dtype_names) \
    X(PublicClaim, NUM, MAY, batch, 1, 1e9) \
    X(PublicClaim, NUM, MAY, isl_tokens, 1, 1e9) \
    X(PublicClaim, NUM, MAY, osl_tokens, 1, 1e9) \
    X(PublicClaim, NUM, MAY, steps, 1, 10000)                      /* images: denoising steps */ \
    /* serving: output tokens; training: trained ones; of all GPUs */ \
    X(PublicClaim, NUM, MAY, tokens_per_s, 1e-6, 1e12) \
    X(PublicClaim, NUM, MAY, images_per_s, 1e-6, 1e9) \
    X(PublicClaim, NUM, MAY, tflops, 1e-3, 1e9) \
    X(PublicClaim, NUM, MAY, usd_per_hour, 1e-6, 1e9)              /* of all GPUs; of one */ \
    X(PublicClaim, NUM, MAY, usd_per_gpu_hour, 1e-6, 1e9) \
    X(PublicClaim, NUM, MAY, usd_per_mtok, 1e-6, 1e9)              /* output tokens */ \
    X(PublicClaim, NUM, MAY, hours, 1e-6, 1e9)                     /* bill */ \
    X(PublicClaim, NUM, MAY, usd_total, 1e-6, 1e12) \
    /* support: as in data/support.tsv; statement: subject is a count of `claim_count_names`, or "" */ \
    X(PublicClaim, TEXT, MAY, subject) \
    X(PublicClaim, TEXT, MAY, platform) \
    X(PublicClaim, TEXT, MAY, status) \
    X(PublicClaim, NAME, MAY, compares, Compared, compared_names)  /* ratio */ \
    /* ratio: of the first side, and of the other one where that names none */ \
    X(PublicClaim, TEXT, MAY, engine) \
    /* ratio: the other side; "": the same as the first */ \
    X(PublicClaim, TEXT, MAY, against_gpu) \
    X(PublicClaim, NUM, MAY, against_gpus, 1, 100000) \
    X(PublicClaim, TEXT, MAY, against_engine) \
    /* ratio: first side over the other; statement: a share, or months. NaN: open to that side */ \
    X(PublicClaim, NUM, MAY, claimed_low, 1e-6, 1e6) \
    X(PublicClaim, NUM, MAY, claimed_high, 1e-6, 1e6) \
    ORIGIN(X, PublicClaim)
typedef struct PublicClaim {PUBLIC_CLAIM_FIELDS(MEMBER)} PublicClaim;
// clang-format on

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

// clang-format off
// What users and other tools call a row of the catalog, or something that they may expect there
// (data/names.tsv).
#define USER_NAME_FIELDS(X) \
    X(UserName, NAME, KEY, kind, NamedKind, named_kind_names) \
    /* lower case, with '-' where users may type a blank, '_' or '.' */ \
    X(UserName, TEXT, KEY, name) \
    /* ids with "; " between them, the first one first; variant: a dtype; "": nothing that is known */ \
    X(UserName, TEXT, MAY, means) \
    /* why, or what is known instead; read behind the name and a colon */ \
    X(UserName, TEXT, MAY, note) \
    ORIGIN(X, UserName)
typedef struct UserName {USER_NAME_FIELDS(MEMBER)} UserName;
// clang-format on

#endif
