// The domain's types and their units: GPUs, models, workloads, offers, claims, efficiency factors, estimates.
//
// Level 0. No behaviour beyond names and unit-safe helpers. Every struct here is a row of a table in `data/`, whose
// columns are listed above it (src/facts/columns.h says how), or a value computed from rows. Unless said otherwise:
//   text    const char *, NUL-terminated, owned by the arena that loaded the row; "" means unknown, never NULL
//   number  double; NaN means unknown, never 0
//   GB is 10^9 bytes, GiB 2^30; TFLOPS are dense (no structured sparsity) per SKU
#ifndef GPUADVISE_FACTS_H
#define GPUADVISE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/facts/claims.h"
#include "src/facts/columns.h"
#include "src/facts/efficiency.h"
#include "src/facts/engines.h"
#include "src/facts/gpus.h"
#include "src/facts/kernels.h"
#include "src/facts/models.h"
#include "src/facts/offers.h"
#include "src/facts/traffic.h"
#include "src/facts/words.h"

// An estimated number: value with an 80 % interval, where it comes from, and which rows it rests on.
typedef struct Estimate {
    double value, low, high;  // NaN = unknown
    Basis basis;
    const char *sources;  // "" or a list separated by "; "
} Estimate;

// clang-format off
// A number of the models of src/perf and src/advise that is no property of one GPU, model or engine
// (data/constants.tsv).
#define CONSTANT_FIELDS(X) \
    X(Constant, TEXT, KEY, name) \
    X(Constant, NUM, MUST, value, -1e15, 1e15) \
    X(Constant, TEXT, MUST, unit) \
    X(Constant, TEXT, MUST, what) \
    ORIGIN(X, Constant)
typedef struct Constant {CONSTANT_FIELDS(MEMBER)} Constant;

// A public measurement (data/measurements.tsv), or one of the user's own (CSV with the same columns). A
// prediction may use what is known before measuring; never id, submitter, source, notes or the measured
// columns (marked M).
// What it is of.
#define MEASURED_OF(X) \
    X(Measurement, TEXT, KEY, id) \
    X(Measurement, TEXT, MAY, gpu_sku) \
    X(Measurement, NUM, MAY, gpu_count, 1, 1e6) \
    X(Measurement, TEXT, MAY, model) \
    X(Measurement, TEXT, MAY, precision_weights) \
    X(Measurement, TEXT, MAY, precision_kv)
// Under which load.
#define MEASURED_AT(X) \
    X(Measurement, NUM, MAY, input_tokens, 0, 1e7) \
    X(Measurement, NUM, MAY, output_tokens, 0, 1e7) \
    X(Measurement, NUM, MAY, batch_or_concurrency, 1, 1e7) \
    X(Measurement, NUM, MAY, rate_rps, 1e-6, 1e6) \
    X(Measurement, NUM, MAY, tp, 1, 1e5) \
    X(Measurement, NUM, MAY, pp, 1, 1e5) \
    X(Measurement, NUM, MAY, ep, 1, 1e5) \
    X(Measurement, NUM, MAY, dp, 1, 1e5)
#define MEASUREMENT_FIELDS(X) \
    MEASURED_OF(X) \
    X(Measurement, NUM, MAY, weight_bits, 0.5, 64) \
    X(Measurement, TEXT, MAY, engine) \
    X(Measurement, TEXT, MAY, engine_version) \
    /* fixed-concurrency, offline, single-stream, server, request-rate, prefill, training, hpc, video */ \
    X(Measurement, TEXT, MAY, scenario) \
    /* serving, prefill, pretrain, finetune-lora, finetune-full, images, video, hpc, embed */ \
    X(Measurement, TEXT, MAY, task) \
    /* A conditions known; B engine chose the batch, or special serving; C incomplete; R labels reconstructed; */ \
    /* T not token serving; D never fit */ \
    X(Measurement, TEXT, MAY, grade) \
    X(Measurement, TEXT, MAY, run_class)                   /* mlperf, vendor, independent */ \
    MEASURED_AT(X) \
    X(Measurement, TEXT, MAY, layout)                      /* stated, assumed */ \
    /* speculated a step; "?": speculation on, number unknown */ \
    X(Measurement, TEXT, MAY, draft_tokens) \
    X(Measurement, BOOL, MAY, prompt_cached)               /* bool: the prompt's work is not in the time */ \
    /* bool: kept from every fit, to hold its factors against */ \
    X(Measurement, BOOL, MAY, held_out) \
    X(Measurement, NUM, MAY, output_tokens_per_s, 0, 1e9)  /* M */ \
    X(Measurement, NUM, MAY, tokens_per_s_total, 0, 1e12) \
    X(Measurement, TEXT, MAY, tokens_kind)                 /* of tokens_per_s_total */ \
    X(Measurement, NUM, MAY, ttft_ms, 0, 1e9)              /* M */ \
    X(Measurement, NUM, MAY, ttft_p99_ms, 0, 1e9) \
    X(Measurement, NUM, MAY, tpot_ms, 0, 1e9) \
    X(Measurement, NUM, MAY, tpot_p99_ms, 0, 1e9) \
    X(Measurement, NUM, MAY, e2e_ms, 0, 1e9) \
    /* M: what ttft_ms, tpot_ms are of a run: median, mean; "" not stated */ \
    X(Measurement, TEXT, MAY, latency_statistic) \
    X(Measurement, TEXT, MAY, submitter) \
    X(Measurement, TEXT, MAY, date)                        /* of the software */ \
    ORIGIN(X, Measurement)
// What says how far a measurement lies from a configuration: a report reads them all.
#define MEASURED_FIELDS(X) \
    MEASURED_OF(X) \
    X(Measurement, TEXT, MAY, engine) \
    X(Measurement, TEXT, MAY, scenario) \
    X(Measurement, TEXT, MAY, grade) \
    MEASURED_AT(X) \
    X(Measurement, TEXT, MAY, draft_tokens) \
    X(Measurement, BOOL, MAY, prompt_cached) \
    X(Measurement, NUM, MAY, output_tokens_per_s, 0, 1e9) \
    X(Measurement, TEXT, MAY, date) \
    ORIGIN(X, Measurement)
typedef struct Measurement {MEASUREMENT_FIELDS(MEMBER)} Measurement;

// An assumption of the decision that the user may replace (data/decision.tsv): likely value, 80 % range.
#define ASSUMPTION_FIELDS(X) \
    X(Assumption, TEXT, KEY, name) \
    X(Assumption, NUM, MUST, value, 0, 1e9) \
    X(Assumption, NUM, MUST, low, 0, 1e9) \
    X(Assumption, NUM, MUST, high, 0, 1e9) \
    X(Assumption, TEXT, MUST, unit) \
    X(Assumption, TEXT, MUST, what) \
    ORIGIN(X, Assumption)
typedef struct Assumption {ASSUMPTION_FIELDS(MEMBER)} Assumption;
// clang-format on

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
    ROWS(Gpu, gpus);
    ROWS(Model, models);
    ROWS(Traffic, traffic);
    ROWS(ApiPrice, api_prices);  // read by the commands that show them, else none
    ROWS(Workload, workloads);
    ROWS(Offer, offers);
    ROWS(EngineSupport, engines);
    ROWS(EngineLimits, engine_limits);
    ROWS(Precision, precisions);
    ROWS(EnginePrecision, engine_precisions);
    ROWS(BlockCheckpoint, block_checkpoints);
    ROWS(EngineLoad, engine_loads);
    ROWS(EngineDefaults, engine_defaults);
    ROWS(Publisher, publishers);
    ROWS(KernelFit, kernels);
    ROWS(MoeTimes, moe_times);
    ROWS(Efficiency, efficiency);
    ROWS(TaskEfficiency, task_efficiency);
    ROWS(Checkpoint, checkpoints);
    ROWS(HpcCase, hpc_cases);
    // Not of data/: empty unless asked for, and never where the estimator itself is judged.
    ROWS(LocalRate, local);        // the user's benchmark runs
    const struct Posterior *own;   // what runs of the user's own say (src/perf/posterior.h); NULL: none
    ROWS(Measurement, published);  // of the model in question
    // of token serving, with output tokens/s: to show what lies nearest, never to predict
    ROWS(Measurement, measured);
    ROWS(Constant, constants);
    ROWS(Assumption, assumptions);
    ROWS(Licence, licences);
    ROWS(Seller, sellers);
    ROWS(SellerClassFact, seller_classes);
    ROWS(PriceMove, price_moves);
} Facts;

// By their keys; NULL: none has it.
const Gpu *facts_gpu(const Facts *f, const char *sku_id);
const Model *facts_model(const Facts *f, const char *model_id);

#endif
