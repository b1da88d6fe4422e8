// The enumerations that rows of several tables use, and their names. Part of facts.h.
#ifndef GPUADVISE_FACTS_WORDS_H
#define GPUADVISE_FACTS_WORDS_H

typedef enum Vendor { VENDOR_NVIDIA, VENDOR_AMD, VENDOR_COUNT } Vendor;

typedef enum Dtype {
    DTYPE_UNKNOWN,
    DTYPE_FP64,
    DTYPE_FP32,
    DTYPE_TF32,
    DTYPE_FP16,
    DTYPE_BF16,
    DTYPE_FP8,
    DTYPE_INT8,
    DTYPE_FP4,
    DTYPE_MXFP4,
    DTYPE_NVFP4,
    DTYPE_INT4,
    DTYPE_FP6,
    DTYPE_COUNT
} Dtype;

// Where a number comes from, best first (cli.md: `basis`).
typedef enum Basis {
    BASIS_MEASURED,
    BASIS_PUBLISHED,
    BASIS_INFORMED,  // by runs of the user's own of configurations like it
    BASIS_CALIBRATED,
    BASIS_EXTRAPOLATED,
    BASIS_DATASHEET,
    BASIS_UNKNOWN,
    BASIS_COUNT
} Basis;

typedef enum WorkloadKind {
    KIND_SERVE,
    KIND_IMAGES,
    KIND_TRAIN,
    KIND_LORA,
    KIND_HPC,
    KIND_EMBED,
    KIND_COUNT
} WorkloadKind;

typedef enum LinkTopology { LINK_NONE, LINK_PAIR, LINK_MESH, LINK_SWITCH, LINK_TOPOLOGY_COUNT } LinkTopology;

typedef enum SupportStatus {
    SUPPORT_FULL,
    SUPPORT_PARTIAL,
    SUPPORT_EXPERIMENTAL,
    SUPPORT_NONE,
    SUPPORT_COUNT
} SupportStatus;

// Beside every list of names: one for each value of its enum, and NULL at the end.
#define NAMES_FIT(names, count)                                                                              \
    _Static_assert(sizeof(names) / sizeof *(names) == (count) + 1, "one name a value, and NULL at the end")

// Names as users type and read them; NULL-terminated, indexed by the enums above.
extern const char *const vendor_names[];   // nvidia, amd
extern const char *const vendor_titles[];  // NVIDIA, AMD
extern const char *const dtype_names[];    // unknown, fp64, ...
// Whether a GPU can be had.
typedef enum GpuMarket { MARKET_SHIPPING, MARKET_RENTED, MARKET_ANNOUNCED } GpuMarket;
extern const char *const market_names[];  // shipping, rented, announced

extern const char *const basis_names[];          // measured, published, ...
extern const char *const kind_names[];           // serve, images, train, lora, hpc, embed
extern const char *const link_topology_names[];  // none, pair, mesh, switch
extern const char *const support_names[];        // full, partial, experimental, none

// Index of `text` in a NULL-terminated list of names, or -1.
int name_index(const char *const *names, const char *text);

// The dtype of that name; `otherwise` where it is none.
Dtype dtype_named(const char *text, Dtype otherwise);

// Bits that one stored element takes, block scales included (MXFP4 4.25, NVFP4 4.5, INT4 with group scales
// 4.5, FP6 6.25). NaN for DTYPE_UNKNOWN. Source: OCP MX formats v1.0 (32-element blocks, 8-bit scale); NVFP4:
// 16-element blocks, 8-bit scale.
double dtype_bits(Dtype d);

#endif
