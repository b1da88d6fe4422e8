// Pure arithmetic of performance: memory fit, time of a prefill and of a decode step, serving at a load,
// other tasks.
//
// Level 1; includes base and facts. Nothing here sees a clock, a file or a price.
//
// The serving model (per replica of tp x pp GPUs; b sequences running, I input and O output tokens, context I
// + O/2):
//   weights = bytes of weights touched / tp / BW           MoE: experts x (1 - (1 - k/E)^b), at eta_expert
//   compute = flops of b tokens / tp / F                    F: dense peak of the compute dtype
//   kv      = b x read bytes / shards / BW                  MLA: every rank holds all; GQA: min(tp, KV heads); sparse
//             layers read what they choose; indexers, states and unpacking of weights: src/perf/extras.h
//   link    = b x 2L x hidden x 2 B x 2(n-1)/n / LINK       two all-reduces a layer, 16-bit activations
//             over N > 1 nodes of eight + b x 2L x hidden x 2 B x 2(N-1)/N / 8 / NETWORK
//             with experts spread over replicas, one less in each layer of experts, and there
//             b/tp x 2 x k x hidden x 2 B x (1-1/N) / LINK  every token to its experts and back, N GPUs
//   step    = ((weights/eta_bw)^3 + (compute/eta_fl)^3)^(1/3) + kv/eta_kv + L x (tau + tau_tp if tp > 1) + b x seq + link/eta_link
//             with experts spread over replicas x spread_step_ratio of the engine: they step together
//   prefill = (2 P I + attention I^2/2) / tp / F / eta_prefill + I x link per token / eta_link
//   E2E     = b x prefill / pp + O x step + passes x hold;  output tokens/s = b x O / E2E;  TPOT = (E2E - TTFT) / (O - 1)
//             engines that read prompts ahead of decoding hold up what runs by prompt_hold_share of a request's start, once
//             for all prompts that came meanwhile: passes = (b - 1) / (1 + b / E2E x (step + hold))
//             one request alone: ttft_alone_share x prefill + O x step; with others none ends sooner than
//             that, nor later than b of them in a row
// Where kernels of the configuration were measured (src/perf/kernels.h), step, prompt and overhead are the
// geometric mean of these and of the sum of its kernels, kernel_share of data/constants.tsv its weight:
//   step = (scale x kernels + step + b x seq)^share x (the step above)^(1 - share)
// Speculation of d drafts of which a step keeps A - 1: weights, compute and link of b (1 + d) tokens, the
// cache read once, d times one more layer and the head for the drafts; O / A steps. A prefix cache that holds
// the share h of a prompt leaves (1 - h) I tokens and the pairs I^2/2 - (hI)^2/2. A power cap leaves the
// share ((cap - idle) / (board - idle))^(1/3) of F. The factors eta and tau come from data/efficiency.tsv.
// Layers and experts in host memory (llama.cpp) add, beside all of the above, which then counts the others alone:
//   step    + bytes that it touches there / what host memory gives    the GPUs wait for the CPU
//   prefill + bytes there / host_link_gb_s x max(I / ubatch, 1)        streamed to the GPU once for each ubatch
// and stages in turn (llama.cpp by layers): a step is one stage after the other, without bubbles, b whole.
// Units inside: bytes, flops, seconds, GB = 10^9. Source of the form: fits to public measurements, see docs
// of each row of data/efficiency.tsv (2026-11-27).
#ifndef GPUADVISE_PERF_H
#define GPUADVISE_PERF_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/base.h"
#include "src/facts/facts.h"
#include "src/perf/constants.h"
#include "src/perf/effects.h"
#include "src/perf/extras.h"
#include "src/perf/kernels.h"

// ---------------------------------------------------------------- models as bytes and flops

// Fills what the row leaves unknown and its shape determines: params_*, kv_*, attn_flops_*,
// weight_bytes_native.
void model_complete(Model *m);

// All weights counted from the shape alone (vision tower apart); NaN where the family has no closed form here
// (hybrid attention, encoder-decoder, diffusion).
double model_params_from_shape(const Model *m);

// Bytes of one copy of the weights stored as `weights`. 8- and 4-bit formats keep embeddings, head and vision
// tower in 16 bits; 4-bit MoE formats quantise the routed experts only and leave the rest as released.
double model_weight_bytes(const Model *m, Dtype weights);
// of them, what stays in host memory: tables that tokens look up
double model_lookup_bytes(const Model *m, Dtype weights);

// Bytes of weights that one token's step reads whatever the batch, and bytes of all routed experts together.
double model_fixed_bytes(const Model *m, Dtype weights);
double model_expert_bytes(const Model *m, Dtype weights);

// Growth of one sequence's cache per token beyond any window, and all it holds at `context` tokens (windows,
// indexer and recurrent state included). `kv` scales the attention cache only.
double model_kv_bytes_per_token(const Model *m, Dtype kv);
double model_cache_bytes(const Model *m, double context, Dtype kv);
// Of that, what a token's step reads: sparse layers choose. Keys of indexers and recurrent states apart.
double model_read_bytes(const Model *m, double context, Dtype kv);
// Tokens whose entries an average layer without a window reads at `context`; pairs of tokens that it attends to in a
// prompt, those that sparse layers read one by one at what they cost of the others.
double model_tokens_read(const Model *m, double context);
double model_prompt_pairs(const Model *m, double tokens);
// Of that, what each token within the sliding window adds besides; 0 without windowed layers.
double model_window_bytes_per_token(const Model *m, Dtype kv);

// Flops of one token through the weights; of attention for one new token at `context`; of a causal prompt's
// attention.
double model_token_flops(const Model *m);
double model_decode_attention_flops(const Model *m, double context);
double model_prompt_attention_flops(const Model *m, double tokens);

bool model_is_moe(const Model *m);
static inline bool model_is_mla(const Model *m) { return is_known(m->kv_lora_rank); }
double model_expert_layers(const Model *m);  // layers with routed experts

// A decoder that answers token by token: the only kind that the serving model below describes.
bool model_has_unknown_cache(const Model *m);  // a decoder whose layers are known and whose cache is not
bool model_is_decoder(const Model *m);

// Gives one vector a text: encoders, and decoders whose last state is taken.
bool model_embeds(const Model *m);
bool model_reads_text(const Model *m, double tokens, Err *e);  // that and of this length
// Flops of one text of `tokens`: every token sees every other in encoders, those before it in decoders;
// embeddings are looked up, a head does nothing.
double model_text_flops(const Model *m, double tokens);

// ---------------------------------------------------------------- GPUs

// memory_usable_mib, else memory_gb x 10^9 (the smaller reading)
double gpu_usable_bytes(const Gpu *g);
double gpu_peak_flops(const Gpu *g, Dtype compute);  // dense flop/s; NaN: the GPU has no such path
// Bytes/s in one direction that one of `n` GPUs has towards the others: switch: all links; mesh: n - 1 of 7
// links; pair: the bridge for 2, PCIe beyond; none: PCIe. NaN when unknown.
double gpu_link_bytes_s(const Gpu *g, int n);

// ---------------------------------------------------------------- serving

typedef struct Layout {
    int tp, pp, ep, dp;
} Layout;

const char *layout_text(const Layout *l, Arena *a);  // as people write it: TP8, TP4 PP2, TP1 EP8

enum { NODE_GPUS = 8 };  // that one fast link joins; beyond them the network

// Why a configuration cannot be used. SERVE_OK = it can.
typedef enum ServeStatus {
    SERVE_OK,
    SERVE_NO_ENGINE,           // the engine does not run on this architecture
    SERVE_NO_PRECISION,        // the dtype of weights or KV cache does not run on this engine or architecture
    SERVE_NO_DATA,             // peak, bandwidth, memory or factors unknown
    SERVE_NO_LAYOUT,           // tp does not divide the attention heads, or no link to split over
    SERVE_NO_BLOCKS,           // tp cuts through the blocks of quantised weights
    SERVE_NO_EXPERT_PARALLEL,  // the engine spreads no experts over replicas
    SERVE_NO_MEMORY,           // weights and one sequence do not fit
    SERVE_NO_SLO,              // the limits are missed even by one sequence
    SERVE_STATUS_COUNT
} ServeStatus;
extern const char *const serve_status_names[];  // short reason for each

// Where the time of one output token goes.
typedef enum TimeItem {
    TIME_WEIGHTS,
    TIME_COMPUTE,
    TIME_KV,
    TIME_LINK,
    TIME_LAUNCH,
    TIME_PREFILL,
    TIME_COUNT
} TimeItem;
extern const char *const time_item_names[];   // weights, compute, kv-cache, interconnect, launch, prefill
extern const char *const time_item_titles[];  // one line each, for people

// One replica's configuration with everything looked up. Borrows the facts.
typedef struct Serving {
    const Gpu *gpu;
    const Model *model;
    const char *engine;
    Layout layout;
    Dtype weights, kv, compute;
    const char *precision_status;  // native, weight-only, emulated
    const EngineLimits *limits;
    const EngineSupport *support;
    const Efficiency *group;  // whose range this is, NULL where nothing is known
    Factors factors;
    KernelPlan kernels;  // a step as a sum of measured kernels, where there are tables
    ExtraPlan extras;    // indexer, linear attention, unpacking; in both
    // what that sum counts beside the formula above, along logarithms: 1 alone, 0 without tables
    double kernel_share;
    double isl, osl;
    // of the prompt whose work is done already: its cache is there, its arithmetic is not
    double cached_share;
    // tokens speculated a step and sequence; tokens that a step gives it (1 without speculation)
    double drafts, kept;
    double clock;  // share of the peak arithmetic that a power cap leaves
    // of the user's own GPU, in the factors already; NULL: not measured
    const LocalRate *local_bandwidth, *local_flops;
    double local_scale_bandwidth, local_scale_flops;  // of the datasheet's peaks, 1 where not measured
    // runs that are newer than those and not believed; NULL: none
    const LocalRate *refused_bandwidth, *refused_flops;
    double pp_bubble, ttft_alone_share, ttft_p99_ratio, tpot_p99_ratio;  // data/constants.tsv
    double hold_share;        // of a request's start, for which others wait; 0: prompts go beside decoding
    double network_bytes_s;   // of one GPU, in one direction
    double split_step_ratio;  // what a step takes longer in disaggregated serving
    // where requests come at a rate: spread of lengths over their mean; overhead
    double length_cv, rate_overhead_s;
    double sigma_log;  // of output tokens/s
    Basis basis;
    // what runs of the user's own on the GPU say, in every point; NULL: there are none. The two above without
    const struct Posterior *own;
    double sigma_alone;
    Basis basis_alone;
    // Memory of one replica (all its GPUs together), bytes.
    double fixed_bytes, expert_bytes;  // read by every step; of all routed experts
    // replicas that share the experts, each with its own attention and cache; else 1
    int expert_ranks;
    // budget: what the engine may take of usable
    double weight_bytes, workspace_bytes, usable_bytes, budget_bytes;
    // one copy of the weights as stored, with what stays in host memory; 0: not worked out
    double copy_bytes;
    // of weights in host memory that the CPU works on: read by every step, and routed experts; the others are above.
    // Share of the layers, and so of each cache, there; bytes/s, and who says so
    double host_fixed_bytes, host_expert_bytes, host_share, host_bytes_s;
    const char *host_source;
    bool in_turn;       // stages of a pipeline never work at once (column stages of data/engine_limits.tsv)
    double room_bytes;  // left for caches
    double memory_fraction;  // that the engine takes: its own, or what it is told to
    double host_bytes;       // of host memory for caches that the GPUs put back; 0: none
    // steady state: context I + O/2, copies counted
    double cache_bytes_per_seq;
    // that a step reads of it, copies counted, without what src/perf/extras.h has: keys of indexers, states
    double read_bytes_per_seq;
    // of a sequence's cache on all ranks together, states apart, of which there is one
    double cache_copies;
    // running at once: memory and engine limit
    double sequences_max;
    bool memory_limited;  // sequences_max comes from memory
} Serving;

// How requests are served beyond an engine that answers whole prompts token by token. Zeros: not so.
typedef struct ServeTechniques {
    // of each prompt that a prefix cache holds, 0 to 1; its memory is counted for every sequence
    double cached_share;
    // speculated a step: by the model's own head for several tokens, or a draft model of one layer
    double draft_tokens;
    // that a step gives on average, its own and the drafts that hold: 1 to 1 + draft_tokens; 0: usual_accepted
    double accepted_tokens;
    double power_cap_w;      // of each board; 0: none
    double memory_fraction;  // that the engine is told to take; 0: its own
    double host_gb;  // of host memory for the caches of one replica, behind those of its GPUs; 0: none
    // llama.cpp: layers that lie in host memory with their cache, below the model's; whether all routed experts do; what
    // that memory gives in 10^9 bytes/s, and who says so (borrowed). The CPU works on these.
    double host_layers;
    bool cpu_experts;
    double host_gb_s;
    const char *host_source;
    // Standard deviation over mean of the prompts that come at a rate; 0: not said, as data/constants.tsv has
    // it. Where all are alike LENGTHS_ALIKE.
    double length_cv;
} ServeTechniques;

#define LENGTHS_ALIKE 1e-6

// What a step gives on average when each draft holds with the usual probability: (1 - p^(d + 1)) / (1 - p)
// (Leviathan et al. 2023).
double usual_accepted(const Facts *facts, double draft_tokens);

// Share of the peak arithmetic left under a cap: dynamic power grows with the cube of the clock. NaN: board
// power unknown, or a cap below what the board takes when idle. A cap over the board's power changes nothing.
double capped_clock(const Facts *facts, const Gpu *g, double cap_w);

// What is wanted of serving_resolve. The factors of one GPU, engine and weights, which all layouts, caches
// and lengths share: a search asks for them thousands of times.
typedef struct FactorMemo {
    const Gpu *gpu;  // NULL: nothing is kept yet
    const char *engine;
    Factors factors;
    const Efficiency *group;
    double unseen, hold_share;
    KernelMemo kernels;
} FactorMemo;

typedef struct ServingWant {
    const Gpu *gpu;
    const Model *model;
    const char *engine;
    Layout layout;
    Dtype weights, kv;
    double isl, osl;
    ServeTechniques techniques;
    const char *factors_engine;  // whose factors to use; NULL: the engine's own
    const char *run_class;       // mlperf, vendor, independent; NULL: independent
    double software_date;        // in years, e.g. 2026.25; 0 or NaN: the newest that was measured
    double release;              // of the engine, as src/perf/version.h counts; 0 or NaN: by that date
    double weight_bits;          // of a weight as stored, 0 or NaN: what the dtype says
    double sequences;            // that the engine is told to run at once; 0 or NaN: its default
    // of these weights, and of one set of facts and one model; NULL: none is kept
    FactorMemo *memo;
} ServingWant;

// Weight dtypes that share factors: bf16 (16 bits), fp8 (8 bits, native), int8 (8 bits, weight-only), fp4 (4
// bits, native), int4 (4 bits, weight-only or emulated). `compute`: what the matrix units work in.
Dtype factor_class(Dtype weights, Dtype compute);

// Looks up factors and works out the memory. `ret` is filled as far as known whatever the status
// (SERVE_NO_MEMORY: the memory figures are valid).
ServeStatus serving_resolve(const Facts *facts, const ServingWant *want, Serving *ret);

// Whose factors these are.
EffectSubject serving_subject(const ServingWant *want, const Serving *s);

// How weights of a dtype run on the GPU; NULL: no row says that they do.
const Precision *gpu_precision(const Facts *facts, const Gpu *gpu, Dtype weights);

// Does the engine run on this GPU? NULL: no row says so.
const EngineSupport *engine_support(const Facts *facts, const Gpu *gpu, const char *engine);

// Where its figures come from, separated by "; ".
const char *serving_sources(const Serving *s, Arena *a);

// One replica under a load.
typedef struct Point {
    double concurrency;  // in flight, waiting ones included
    double running;      // of them in the batch
    double ttft_s, ttft_p99_s, tpot_s, tpot_p99_s, e2e_s;
    double output_tokens_s, total_tokens_s;
    // of one output token of one sequence; sums to e2e_s / osl while nothing waits
    double item_s[TIME_COUNT];
    TimeItem bound_by;
    bool queued;  // more in flight than can run
} Point;

// `concurrency` >= 1 requests always in flight (closed loop).
Point serving_at(const Serving *s, double concurrency);

// Weights that the CPU works on in host memory, bytes of one copy; 0: none.
double serving_host_bytes(const Serving *s);

// Seconds of one step of `batch` sequences, speculation included, and where they go (TIME_PREFILL: 0).
double serving_step_items(const Serving *s, double batch, double items[TIME_COUNT]);

// Disaggregated serving with `concurrency` requests in flight on all replicas together: `prefill_replicas`
// read prompts one after the other, `decode_replicas` write answers (src/perf/split.c). Figures are of all replicas
// over their number. Both of one model and lengths; layouts without pipeline.
Point serving_split(const Serving *reading, const Serving *writing, int prefill_replicas, int decode_replicas,
                    double concurrency);
// of one prompt's cache, over the network ports of a replica's GPUs
double serving_hand_over_s(const Serving *s);

// Seconds to read one prompt with nothing else running, without the engine's own overhead.
double serving_prompt_s(const Serving *s);
// What one prompt adds to the steps of others; and one step of the engine with `running` sequences on the
// replica.
double serving_prompt_mixed_s(const Serving *s);
double serving_prompt_hold_s(const Serving *s);  // of a pass of prompts beside their arithmetic
double serving_running_step_s(const Serving *s, double running);

// The variance of ln(rate) that stands for how far the two ways to say a time, the sum of kernels and the formula, lie
// apart, at a few sequences; 0 where there is no sum.
double serving_ways_variance(const Facts *facts, const Serving *s);

// Poisson arrivals at `rate` requests/s. False when the replica cannot keep up at `utilisation_max` of its
// best rate.
bool serving_at_rate(const Serving *s, double rate, double utilisation_max, Point *ret_point);

// No more output tokens/s than this can leave the replica while `running` sequences run: bytes at full
// datasheet bandwidth, arithmetic at the full dense peak, whichever takes longer, and nothing else.
double serving_bound(const Serving *s, double running);

// No more output tokens/s than this can reach one of them after its first token: the same without prompts,
// which another time holds.
double serving_user_bound(const Serving *s, double running);

// The same in its parts, for all GPUs of the replica: what a step reads and computes (prompts spread over the
// outputs they give).
typedef struct Roof {
    double read_bytes, read_s;  // weights touched and caches
    double flops, compute_s;
    double tokens_s;  // serving_bound
} Roof;
Roof serving_roof(const Serving *s, double running);

// Largest whole concurrency without queueing whose p99 TTFT and TPOT stay within the limits (seconds; NaN =
// none). 0: none.
double serving_capacity(const Serving *s, double ttft_limit_s, double tpot_limit_s);

// An 80 % interval around `value` (log-normal); sigma NaN -> unknown range.
Estimate estimate_of(double value, double sigma_log, Basis basis, const char *sources);
extern const double Z80;  // standard normal quantile of 0.9

// What two estimates have in common, which cancels in their ratio; `hand`: who runs both, with the same clients,
// flags and care.
typedef struct Common {
    bool model, engine, gpu, hand;
} Common;

// Doubt of ln of the ratio of two estimates with doubts a and b, less what they have in common (constants share_*).
double ratio_sigma(const Facts *facts, double a, double b, Common common);

// ---------------------------------------------------------------- images, training, HPC, embeddings

typedef struct TaskPoint {
    double rate;       // images/s, trained tokens/s, runs/s or texts/s of all `gpus` together
    double rate_most;  // at full datasheet peaks: nothing is faster
    double sigma_log;
    Basis basis;
    Dtype dtype;
    const char *sources, *bound_by;     // compute or memory-bandwidth
    double memory_bytes, usable_bytes;  // needed and available, all GPUs
} TaskPoint;

// Its rate times `each`, with a range that keeps on this side of physics.
Estimate task_rate_estimate(const TaskPoint *p, double each);

// A workload that is not token serving on `gpus` GPUs of one instance, in the best of the dtypes it accepts.
ServeStatus task_at(const Facts *facts, const Gpu *gpu, const Model *model, const Workload *w, int gpus,
                    Arena *a, TaskPoint *ret);

#endif
