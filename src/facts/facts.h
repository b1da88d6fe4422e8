// The domain's types and their units: GPUs, models, workloads, offers, claims, efficiency factors, estimates.
//
// Level 0. No behaviour beyond names and unit-safe helpers. Every struct here is a row of a table in `data/`
// (see src/facts/tables.c for the columns) or a value computed from rows. Unless said otherwise:
//   text    const char *, NUL-terminated, owned by the arena that loaded the row; "" means unknown, never NULL
//   number  double; NaN means unknown, never 0
//   GB is 10^9 bytes, GiB 2^30; TFLOPS are dense (no structured sparsity) per SKU
#ifndef GPUADVISE_FACTS_H
#define GPUADVISE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/facts/claims.h"
#include "src/facts/efficiency.h"
#include "src/facts/engines.h"
#include "src/facts/kernels.h"
#include "src/facts/offers.h"
#include "src/facts/traffic.h"

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

// Bits that one stored element takes, block scales included (MXFP4 4.25, NVFP4 4.5, INT4 with group scales
// 4.5, FP6 6.25). NaN for DTYPE_UNKNOWN. Source: OCP MX formats v1.0 (32-element blocks, 8-bit scale); NVFP4:
// 16-element blocks, 8-bit scale.
double dtype_bits(Dtype d);

// An estimated number: value with an 80 % interval, where it comes from, and which rows it rests on.
typedef struct Estimate {
    double value, low, high;  // NaN = unknown
    Basis basis;
    const char *sources;  // "" or a list separated by "; "
} Estimate;

// One GPU SKU (data/gpus.tsv). Counts are per SKU: an MI250X row holds both of its devices.
typedef struct Gpu {
    const char *sku_id;  // the catalog's key, e.g. "h100-sxm5-80gb"
    int vendor;          // Vendor
    const char *name;    // marketing name
    // family key used by factor tables: pascal volta turing ampere ada hopper blackwell rubin;
    const char *architecture;
    // vega cdna1 cdna2 cdna3 cdna4 cdna5 rdna1 rdna2 rdna3 rdna3.5 rdna4
    const char *chip;          // e.g. "GH100"
    const char *target;        // CUDA compute capability ("9.0") or LLVM target ("gfx942")
    const char *launch;        // YYYY-MM
    double memory_gb;          // the vendor's number; its unit differs by product, never plan with it
    double memory_usable_mib;  // what a real device reports
    const char *memory_type;
    double memory_bw_gb_s;
    double cache_mb;       // largest on-package shared cache
    double compute_units;  // SMs or CUs
    double fp64_vector_tflops, fp64_matrix_tflops, fp32_vector_tflops;
    double tf32_tflops, fp16_tflops, bf16_tflops, fp8_tflops, fp6_tflops, fp4_tflops, int8_tops;
    double board_power_w;
    const char *form_factor;
    const char *link;
    LinkTopology link_topology;
    double link_gb_s;  // all scale-up links of one GPU, both directions
    double pcie_gen;
    double street_price_usd;
    const char *street_price_basis;
    const char *support;  // supported, deprecated (current toolkit has dropped it), planned
    GpuMarket market;
    double devices_per_package;
    double peak_clock_mhz, flop_per_clk_per_unit;
    const char *confidence;  // A, B, C
    const char *note;
    const char *source, *as_of;
} Gpu;

// How a device reports itself (data/device_ids.tsv).
typedef struct DeviceId {
    int vendor;
    const char *pci_device, *pci_subsystem, *pci_revision;  // "10de:1eb8"; "" = any
    const char *name, *name_api;
    const char *sku_id;
    double gfx_target_version, cu_count, memory_gib;  // further conditions
    const char *note;
    const char *source, *as_of;
} DeviceId;

// What healthy GPUs reach (data/healthy_gpus.tsv), whole boards; of a product by a library, sides about 8192.
typedef struct HealthyGpu {
    const char *sku_id, *test;                         // a test of `gpuadvise bench list`
    double gpu_count;                                  // that took part, in a test of several; NaN: one
    double median_gb_s, low_gb_s, high_gb_s;           // low and high: lowest and highest of several readings
    double median_tflop_s, low_tflop_s, high_tflop_s;  // of a product, in place of those
    const char *kind;  // measured, secondary; threshold: from there on a vendor's own validation passes
    const char *source, *as_of;
} HealthyGpu;

// One model architecture (data/models.tsv). Sizes are elements unless named bytes or flops.
typedef struct Model {
    const char *model_id, *hf_name;
    // dense, moe, vision-language, encoder, embedder (a decoder without head), encoder-decoder, diffusion
    const char *family;
    const char *attention;  // mha, gqa, mla, hybrid
    double layers, hidden, heads, kv_heads, head_dim, intermediate, vocab;
    int tied_embeddings;  // bool
    double ffn_matrices;  // 3 gated, 2 plain
    double experts, experts_per_token, shared_experts, moe_intermediate, shared_intermediate;
    double dense_layers_first, moe_every;
    double q_lora_rank, kv_lora_rank, qk_nope_head_dim, qk_rope_head_dim, v_head_dim;
    double sliding_window;
    const char *sliding_pattern;
    double max_context;
    int weights_native;  // Dtype of the released checkpoint's weights
    const char *native_quantization;
    double params_published_b, params_total, params_active, params_input_embedding, params_expert_routed;
    double params_vision, params_mtp;
    double kv_full_layers, kv_window_layers, linear_layers;
    double kv_bytes_per_token_bf16;         // growth per cached token, full-attention layers
    double kv_window_bytes_per_token_bf16;  // windowed layers: times min(context, sliding_window)
    double kv_extra_bytes_per_token;        // indexer cache, in its own precision
    double state_elements_per_seq;          // recurrent state, constant per sequence
    double weight_bytes_native;             // released checkpoint, scales included, without MTP
    double attn_flops_per_pair_full, attn_flops_per_pair_window;
    double kv_sparse_bytes_per_token_bf16, sparse_tokens, index_flops_per_pair;  // see src/perf/extras.h
    double params_lookup;  // of params_total: tables that tokens look up, kept in host memory; NaN: none
    double lookup_bytes_native;  // no column: their bytes in a model file, else 0
    // parts of weight_bytes_native; no columns: known of model files only, else 0
    double expert_bytes_native, embedding_bytes_native;
    const char *image_size;
    double latent_tokens, steps_default, forwards_per_step, tflop_per_forward_matmul,
        tflop_per_forward_attention, tflop_per_image;
    double released;  // when it came out, in years; NaN: long ago or unknown
    // no column: model_id of the catalog's model of the same shape, for model files; NULL: none, or the
    // catalog's own
    const char *like;
    const char *doubt;  // no column: why shape or cache of a model file are not certain; NULL: they are
    const char *path;   // no column: file or folder that it was read from, as typed; NULL: the catalog's own
    const char *confidence, *note;
    const char *source, *as_of;
} Model;

// Layers, widths and experts alike: fine-tunes and releases of one network, which run at the same speed.
bool model_same_shape(const Model *a, const Model *b);

// Something a user wants to run (data/workloads.tsv).
typedef struct Workload {
    const char *workload_id;
    const char *title;  // what it is
    const char *who;    // one sentence on who has it
    WorkloadKind kind;
    const char *variant;  // hpc: class of work: molecular-dynamics, fluid-dynamics, linear-algebra
    const char *model_id;
    const char *traffic_id;  // how its requests come and what of them came before; "": not said
    double isl_tokens, osl_tokens;
    double rate_rps;              // offered requests per second, NaN = not set
    double concurrency;           // requests in flight, NaN = not set; neither: as much as fits
    double ttft_p99_ms, tpot_ms;  // limits at p99; NaN = none
    const char *weights;          // dtypes that keep the quality wanted, best first, separated by spaces
    const char *kv;               // the same for the KV cache
    double duty_cycle;            // share of paid hours that carry the load, 0-1
    double tokens_total;          // train, lora: token budget
    double images_steps;          // images: denoising steps
    double run_tflop_fp64, run_tflop_fp32, run_tbyte;  // hpc: work of one run
    double run_memory_gb;                              // hpc: what it keeps on the GPUs
    double run_steps;                                  // hpc: steps of one run, one after the other
    const char *source, *as_of;
} Workload;

// Which serving engine runs on which architecture (data/engines.tsv), from the claims.
typedef struct EngineSupport {
    const char *engine;
    int vendor;
    const char *architecture;
    SupportStatus status;
    const char *note;
    const char *source, *as_of;
} EngineSupport;

// What a serving engine takes for itself (data/engine_limits.tsv).
typedef struct EngineLimits {
    const char *engine;
    // that the KV cache may fill, weights and workspace included or apart: see fraction_of
    double memory_fraction;
    // memory: of all that is usable; rest: of what weights leave, whole lengths reserved
    const char *fraction_of;
    // driver context, buffers and graphs of one process, GB; NaN: constant workspace_gb_per_gpu
    double process_gb;
    double max_running_sequences;  // per replica
    double chunk_tokens;           // prefill tokens mixed into one step
    // time of a step whose experts are spread over replicas, over what it takes by itself; NaN: it spreads
    // none
    double spread_step_ratio;
    // of the room for caches, set aside for the state of linear layers; NaN: states come out of the same room
    double state_share;
    // between the points of a prompt from which a kept state of linear layers can be taken up; NaN: any point
    double state_step_tokens;
    // of a weight in its usual files of 4 bits, embeddings and head among them; NaN: those stay in 16 bits
    double int4_bits;
    const char *weights, *kv;  // dtypes that it runs, separated by blanks
    const char *stages;        // of a pipeline: in-turn, one works after the other; "": at once
    const char *source, *as_of;
} EngineLimits;

// How a weight dtype runs on an architecture (data/precisions.tsv). A missing row means: not supported.
typedef struct Precision {
    int weights;  // Dtype stored
    int vendor;
    const char *architecture;
    int compute;         // Dtype the matrix units use
    const char *status;  // native, weight-only, emulated
    const char *source, *as_of;
} Precision;

// A model in another precision than the one that it was released in (data/checkpoints.tsv).
typedef enum CheckpointMaker { MAKER_OWNER, MAKER_THIRD_PARTY, MAKER_COUNT } CheckpointMaker;
extern const char *const checkpoint_maker_names[];  // owner, third-party

typedef struct Checkpoint {
    const char *model_id;
    int weights;  // Dtype
    const char *hf_name;
    CheckpointMaker maker;
    const char *source, *as_of;
} Checkpoint;

// A known HPC computation (data/hpc_cases.tsv), named as measurements name it. One run gives one unit.
typedef struct HpcCase {
    const char *case_id;
    const char *variant;  // class of work, as in workloads
    const char *unit;     // ns/day: a run is a nanosecond; GFLOP/s: a run is 10^9 flops
    double run_tflop_fp64, run_tflop_fp32, run_tbyte, run_steps;  // of one run; steps: one after the other
    const char *source, *as_of;
} HpcCase;

// A number of the models of src/perf and src/advise that is no property of one GPU, model or engine
// (data/constants.tsv).
typedef struct Constant {
    const char *name;
    double value;
    const char *unit, *what;
    const char *source, *as_of;
} Constant;

// A public measurement (data/measurements.tsv), or one of the user's own (CSV with the same columns). A
// prediction may use what is known before measuring; never id, submitter, source, notes or the measured
// columns (marked M).
typedef struct Measurement {
    const char *id, *gpu_sku;
    double gpu_count;
    const char *model, *precision_weights, *precision_kv;
    double weight_bits;
    const char *engine, *engine_version;
    // fixed-concurrency, offline, single-stream, server, request-rate, prefill, training, hpc, video
    const char *scenario;
    // serving, prefill, pretrain, finetune-lora, finetune-full, images, video, hpc, embed
    const char *task;
    // A conditions known; B engine chose the batch, or special serving; C incomplete; R labels reconstructed;
    const char *grade;
    // T not token serving; D never fit
    const char *run_class;  // mlperf, vendor, independent
    double input_tokens, output_tokens, batch_or_concurrency, rate_rps;
    double tp, pp, ep, dp;
    const char *layout;                              // stated, assumed
    const char *draft_tokens;                        // speculated a step; "?": speculation on, number unknown
    int prompt_cached;                               // bool: the prompt's work is not in the time
    int held_out;                                    // bool: kept from every fit, to hold its factors against
    double output_tokens_per_s, tokens_per_s_total;  // M
    const char *tokens_kind;                         // of tokens_per_s_total
    double ttft_ms, ttft_p99_ms, tpot_ms, tpot_p99_ms, e2e_ms;  // M
    const char *latency_statistic;  // M: what ttft_ms, tpot_ms are of a run: median, mean; "" not stated
    const char *submitter;
    const char *date;  // of the software
    const char *source, *as_of;
} Measurement;

// An assumption of the decision that the user may replace (data/decision.tsv): likely value, 80 % range.
typedef struct Assumption {
    const char *name;
    double value, low, high;
    const char *unit, *what;
    const char *source, *as_of;
} Assumption;

// What a maker's terms and the card itself say about use in a data centre, by what a GPU's name begins with
// (data/licences.tsv). The longest beginning counts.
typedef struct Licence {
    int vendor;
    const char *name_begins;
    const char *datacenter;        // "forbidden": by the licence of its driver; "": nothing known against it
    const char *licence, *memory;  // a sentence on the terms, and on errors of its memory; "": nothing to say
    const char *source, *as_of;
} Licence;

// What a benchmark run of the user's own says of a GPU: of the newest run that may stand for the datasheet,
// and of a newer one that may not.
typedef struct LocalRate {
    const char *sku_id;
    int dtype;    // Dtype of a matrix product; DTYPE_UNKNOWN: reading and writing memory
    double rate;  // bytes/s or flop/s, the best of the run's tests
    int64_t run;
    const char *taken_at;  // RFC 3339
    const char *refused;   // why it does not stand for the datasheet; "" = it does
} LocalRate;

// All rows an answer needs, read once.
typedef struct Facts {
    const Gpu *gpus;
    size_t n_gpus;
    const Model *models;
    size_t n_models;
    const Traffic *traffic;
    size_t n_traffic;
    const ApiPrice *api_prices;  // read by the commands that show them, else none
    size_t n_api_prices;
    const Workload *workloads;
    size_t n_workloads;
    const Offer *offers;
    size_t n_offers;
    const EngineSupport *engines;
    size_t n_engines;
    const EngineLimits *engine_limits;
    size_t n_engine_limits;
    const Precision *precisions;
    size_t n_precisions;
    const EnginePrecision *engine_precisions;
    size_t n_engine_precisions;
    const BlockCheckpoint *block_checkpoints;
    size_t n_block_checkpoints;
    const EngineLoad *engine_loads;
    size_t n_engine_loads;
    const EngineDefaults *engine_defaults;
    const Publisher *publishers;
    size_t n_engine_defaults, n_publishers;
    const KernelFit *kernels;
    const MoeTimes *moe_times;
    size_t n_kernels, n_moe_times;
    const Efficiency *efficiency;
    size_t n_efficiency;
    const TaskEfficiency *task_efficiency;
    size_t n_task_efficiency;
    const Checkpoint *checkpoints;
    size_t n_checkpoints;
    const HpcCase *hpc_cases;
    size_t n_hpc_cases;
    // Not of data/: empty unless asked for, and never where the estimator itself is judged.
    const LocalRate *local;  // the user's benchmark runs
    size_t n_local;
    const struct Posterior *own;   // what runs of the user's own say (src/perf/posterior.h); NULL: none
    const Measurement *published;  // of the model in question
    size_t n_published;
    // of token serving, with output tokens/s: to show what lies nearest, never to predict
    const Measurement *measured;
    size_t n_measured;
    const Constant *constants;
    size_t n_constants;
    const Assumption *assumptions;
    size_t n_assumptions;
    const Licence *licences;
    size_t n_licences;
    const Seller *sellers;
    size_t n_sellers;
    const SellerClassFact *seller_classes;
    size_t n_seller_classes;
    const PriceMove *price_moves;
    size_t n_price_moves;
} Facts;

// By their keys; NULL: none has it.
const Gpu *facts_gpu(const Facts *f, const char *sku_id);
const Model *facts_model(const Facts *f, const char *model_id);

#endif
