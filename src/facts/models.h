// What runs on GPUs: models and their checkpoints, workloads, HPC computations. Part of facts.h, whose
// conventions hold.
#ifndef GPUADVISE_FACTS_MODELS_H
#define GPUADVISE_FACTS_MODELS_H

#include "src/facts/columns.h"
#include "src/facts/words.h"

// clang-format off
// One model architecture (data/models.tsv). Sizes are elements unless named bytes or flops.
#define MODEL_FIELDS(X) \
    X(Model, TEXT, KEY, model_id) \
    X(Model, TEXT, MAY, hf_name) \
    /* dense, moe, vision-language, encoder, embedder (a decoder without head), encoder-decoder, diffusion */ \
    X(Model, TEXT, MUST, family) \
    X(Model, TEXT, MUST, attention)                             /* mha, gqa, mla, hybrid */ \
    X(Model, NUM, MAY, layers, 1, 1000) \
    X(Model, NUM, MAY, hidden, 64, 100000) \
    X(Model, NUM, MAY, heads, 1, 1024) \
    X(Model, NUM, MAY, kv_heads, 1, 1024) \
    X(Model, NUM, MAY, head_dim, 8, 2048) \
    X(Model, NUM, MAY, intermediate, 64, 1e6) \
    X(Model, NUM, MAY, vocab, 100, 1e7) \
    X(Model, BOOL, MAY, tied_embeddings)                        /* bool */ \
    X(Model, NUM, MAY, ffn_matrices, 2, 3)                      /* 3 gated, 2 plain */ \
    X(Model, NUM, MAY, experts, 2, 10000) \
    X(Model, NUM, MAY, experts_per_token, 1, 1000) \
    X(Model, NUM, MAY, shared_experts, 0, 100) \
    X(Model, NUM, MAY, moe_intermediate, 16, 1e6) \
    X(Model, NUM, MAY, shared_intermediate, 16, 1e6) \
    X(Model, NUM, MAY, dense_layers_first, 0, 1000) \
    X(Model, NUM, MAY, moe_every, 1, 100) \
    X(Model, NUM, MAY, q_lora_rank, 1, 100000) \
    X(Model, NUM, MAY, kv_lora_rank, 1, 100000) \
    X(Model, NUM, MAY, qk_nope_head_dim, 1, 10000) \
    X(Model, NUM, MAY, qk_rope_head_dim, 0, 10000) \
    X(Model, NUM, MAY, v_head_dim, 1, 10000) \
    X(Model, NUM, MAY, sliding_window, 1, 1e7) \
    X(Model, TEXT, MAY, sliding_pattern) \
    X(Model, NUM, MAY, max_context, 16, 1e9) \
    /* of the released checkpoint */ \
    X(Model, NAME, MUST, weights_native, Dtype, dtype_names) \
    X(Model, TEXT, MAY, native_quantization) \
    X(Model, NUM, MAY, params_published_b, 0.001, 10000) \
    X(Model, NUM, MUST, params_total, 1e6, 1e13) \
    X(Model, NUM, MAY, params_active, 1e6, 1e13) \
    X(Model, NUM, MAY, params_input_embedding, 0, 1e12) \
    X(Model, NUM, MAY, params_expert_routed, 1e6, 1e13) \
    X(Model, NUM, MAY, params_vision, 1e3, 1e12) \
    X(Model, NUM, MAY, params_mtp, 1e3, 1e12) \
    /* of params_total: tables that tokens look up, kept in host memory; NaN: none */ \
    X(Model, NUM, MAY, params_lookup, 1e3, 1e13) \
    X(Model, NUM, MAY, kv_full_layers, 0, 1000) \
    X(Model, NUM, MAY, kv_window_layers, 0, 1000) \
    X(Model, NUM, MAY, linear_layers, 0, 1000) \
    /* growth per cached token, full-attention layers */ \
    X(Model, NUM, MAY, kv_bytes_per_token_bf16, 0, 1e8) \
    /* windowed layers: times min(context, sliding_window) */ \
    X(Model, NUM, MAY, kv_window_bytes_per_token_bf16, 0, 1e8) \
    X(Model, NUM, MAY, kv_extra_bytes_per_token, 0, 1e7)        /* indexer cache, in its own precision */ \
    X(Model, NUM, MAY, state_elements_per_seq, 0, 1e10)         /* recurrent state, constant per sequence */ \
    /* released checkpoint, scales included, without MTP */ \
    X(Model, NUM, MAY, weight_bytes_native, 1e6, 1e14) \
    X(Model, NUM, MAY, attn_flops_per_pair_full, 0, 1e9) \
    X(Model, NUM, MAY, attn_flops_per_pair_window, 0, 1e9) \
    X(Model, NUM, MAY, kv_sparse_bytes_per_token_bf16, 0, 1e8)  /* see src/perf/extras.h */ \
    X(Model, NUM, MAY, sparse_tokens, 1, 1e7) \
    X(Model, NUM, MAY, index_flops_per_pair, 0, 1e9) \
    X(Model, TEXT, MAY, image_size) \
    X(Model, NUM, MAY, latent_tokens, 1, 1e8) \
    X(Model, NUM, MAY, steps_default, 1, 1000) \
    X(Model, NUM, MAY, forwards_per_step, 1, 10) \
    X(Model, NUM, MAY, tflop_per_forward_matmul, 0.001, 1e6) \
    X(Model, NUM, MAY, tflop_per_forward_attention, 0, 1e6) \
    X(Model, NUM, MAY, tflop_per_image, 0.001, 1e8) \
    /* when it came out, in years; NaN: long ago or unknown */ \
    X(Model, NUM, MAY, released, 2017, 2100) \
    X(Model, TEXT, MUST, confidence) \
    X(Model, TEXT, MAY, note) \
    ORIGIN(X, Model)
typedef struct Model {
    MODEL_FIELDS(MEMBER)
    // No columns: known of model files alone.
    double lookup_bytes_native;  // bytes of params_lookup, else 0
    double expert_bytes_native, embedding_bytes_native;  // parts of weight_bytes_native, else 0
    const char *like;   // model_id of the catalog's model of the same shape; NULL: none, or the catalog's own
    const char *doubt;  // why shape or cache are not certain; NULL: they are
    const char *path;   // file or folder that it was read from, as typed; NULL: the catalog's own
} Model;
// clang-format on

// Layers, widths and experts alike: fine-tunes and releases of one network, which run at the same speed.
bool model_same_shape(const Model *a, const Model *b);

// A model in another precision than the one that it was released in (data/checkpoints.tsv).
typedef enum CheckpointMaker { MAKER_OWNER, MAKER_THIRD_PARTY, MAKER_COUNT } CheckpointMaker;
extern const char *const checkpoint_maker_names[];  // owner, third-party

// clang-format off
#define CHECKPOINT_FIELDS(X) \
    X(Checkpoint, TEXT, KEY, model_id) \
    X(Checkpoint, NAME, KEY, weights, Dtype, dtype_names) \
    X(Checkpoint, TEXT, KEY, hf_name) \
    X(Checkpoint, NAME, MUST, maker, CheckpointMaker, checkpoint_maker_names) \
    ORIGIN(X, Checkpoint)
typedef struct Checkpoint {CHECKPOINT_FIELDS(MEMBER)} Checkpoint;

// Something a user wants to run (data/workloads.tsv).
#define WORKLOAD_FIELDS(X) \
    X(Workload, TEXT, KEY, workload_id) \
    X(Workload, TEXT, MUST, title)                  /* what it is */ \
    X(Workload, TEXT, MUST, who)                    /* one sentence on who has it */ \
    X(Workload, NAME, MUST, kind, WorkloadKind, kind_names) \
    /* hpc: class of work: molecular-dynamics, fluid-dynamics, linear-algebra */ \
    X(Workload, TEXT, MAY, variant) \
    X(Workload, TEXT, MAY, model_id) \
    /* how its requests come and what of them came before; "": not said */ \
    X(Workload, TEXT, MAY, traffic_id) \
    X(Workload, NUM, MAY, isl_tokens, 1, 1e7) \
    X(Workload, NUM, MAY, osl_tokens, 1, 1e6) \
    X(Workload, NUM, MAY, rate_rps, 1e-6, 1e6)      /* offered requests per second, NaN = not set */ \
    /* requests in flight, NaN = not set; neither: as much as fits */ \
    X(Workload, NUM, MAY, concurrency, 1, 1e6) \
    X(Workload, NUM, MAY, ttft_p99_ms, 1, 1e7)      /* limits at p99; NaN = none */ \
    X(Workload, NUM, MAY, tpot_ms, 0.1, 1e6) \
    /* dtypes that keep the quality wanted, best first, separated by spaces */ \
    X(Workload, TEXT, MAY, weights) \
    X(Workload, TEXT, MAY, kv)                      /* the same for the KV cache */ \
    X(Workload, NUM, MAY, duty_cycle, 0.001, 1)     /* share of paid hours that carry the load, 0-1 */ \
    X(Workload, NUM, MAY, tokens_total, 1e3, 1e16)  /* train, lora: token budget */ \
    X(Workload, NUM, MAY, images_steps, 1, 1000)    /* images: denoising steps */ \
    X(Workload, NUM, MAY, run_tflop_fp64, 0, 1e12)  /* hpc: work of one run */ \
    X(Workload, NUM, MAY, run_tflop_fp32, 0, 1e12) \
    X(Workload, NUM, MAY, run_memory_gb, 0, 1e9)    /* hpc: what it keeps on the GPUs */ \
    X(Workload, NUM, MAY, run_tbyte, 0, 1e12) \
    X(Workload, NUM, MAY, run_steps, 0, 1e12)       /* hpc: steps of one run, one after the other */ \
    ORIGIN(X, Workload)
typedef struct Workload {WORKLOAD_FIELDS(MEMBER)} Workload;

// A known HPC computation (data/hpc_cases.tsv), named as measurements name it. One run gives one unit.
#define HPC_CASE_FIELDS(X) \
    X(HpcCase, TEXT, KEY, case_id) \
    X(HpcCase, TEXT, MUST, variant)                /* class of work, as in workloads */ \
    /* ns/day: a run is a nanosecond; GFLOP/s: a run is 10^9 flops */ \
    X(HpcCase, TEXT, MUST, unit) \
    X(HpcCase, NUM, MAY, run_tflop_fp64, 0, 1e12)  /* of one run; steps: one after the other */ \
    X(HpcCase, NUM, MAY, run_tflop_fp32, 0, 1e12) \
    X(HpcCase, NUM, MAY, run_tbyte, 0, 1e12) \
    X(HpcCase, NUM, MAY, run_steps, 0, 1e12) \
    ORIGIN(X, HpcCase)
typedef struct HpcCase {HPC_CASE_FIELDS(MEMBER)} HpcCase;
// clang-format on

#endif
