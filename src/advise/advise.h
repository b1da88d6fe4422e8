// Decisions: search configurations and offers, cost them, compare the best of each vendor, say why.
//
// Level 2; includes base, facts, perf. Pure: everything comes in through Facts and Ask, everything that was decided goes
// out in Advice, which borrows the facts and lives in the caller's arena.
#ifndef GPUADVISE_ADVISE_H
#define GPUADVISE_ADVISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/base.h"
#include "src/facts/facts.h"
#include "src/migrate/effort.h"
#include "src/perf/perf.h"

// ---------------------------------------------------------------- money

// Dollars per million tokens: dollars per hour / 3600 / tokens per second x 10^6. NaN unless both are known and > 0.
double usd_per_mtok(double usd_per_hour, double tokens_per_s);

// ---------------------------------------------------------------- the question

typedef struct Discount {
    const char *provider;
    double percent;  // 0-100 off the listed price
} Discount;

enum { DISCOUNTS_MAX = 16 };

// What is asked: a workload with the user's changes already in it, and what the answer must keep to.
typedef struct Ask {
    Workload workload;
    const Model *model;  // NULL only for hpc
    // Filters; "" or negative or NaN = any.
    int vendor;
    const char *gpu, *engine, *provider, *region;  // region: part of the region's name
    int pricing_model;                             // PricingModel
    double gpus_max;                               // GPUs of the whole option
    double max_price_usd_gpu_h;
    double max_age_days;
    Discount discounts[DISCOUNTS_MAX];
    size_t n_discounts;
    int64_t today;  // days since 1970-01-01
    size_t top;     // options kept, at least the best of each vendor
    bool pareto;    // keep what is best in cost or TPOT instead of the cheapest layout of each offer
} Ask;

// ---------------------------------------------------------------- the answer

// One way to run the workload: a configuration on whole instances of one offer.
typedef struct Option {
    const Gpu *gpu;
    const Offer *offer;
    int instances;
    int gpu_count;     // of all instances
    int replicas;      // over all instances
    Layout layout;     // of one replica
    Serving serving;   // token serving only: serving.factors is NULL for other tasks
    const char *engine;   // "" for other tasks
    Dtype weights, kv;    // what the weights are stored in (other tasks: what is computed in)
    Basis basis;
    const char *sources;
    Point point;       // of one replica under its share of the load
    double concurrency;  // of the whole option, waiting requests included
    double price_usd_h;  // all instances, discount taken
    double price_usd_gpu_h;
    int64_t price_age_days;
    double memory_used_pct;
    Estimate output_tokens_s, output_tokens_s_gpu, tokens_s_user, ttft_p50_ms, ttft_p99_ms, tpot_ms;
    Estimate output_usd_mtok, blended_usd_mtok, input_usd_mtok, saturated_output_usd_mtok;
    // Other kinds of workload; value NaN where they do not apply.
    TaskPoint task;
    Estimate images_s, usd_1k_images, train_tokens_s, hours_total, usd_total, usd_run;
    double cost;       // what ranking goes by: $/Mtok, $/1k images, $ in all, $ a run
    double sigma_log;  // of cost
} Option;

typedef enum Winner { WINNER_NVIDIA, WINNER_AMD, WINNER_SPLIT, WINNER_TIE, WINNER_NEITHER, WINNER_NOT_YET, WINNER_COUNT } Winner;
extern const char *const winner_names[];  // nvidia, amd, split, tie, neither, not-yet

typedef struct Exclusion {
    const char *what;  // offers, layouts, engines, GPUs
    const char *reason;
    size_t count;
    const char *example;
} Exclusion;

// What would change the verdict: `what` is now `value`; at `flip` the best of both vendors cost the same. NaN: they never
// do, since another option of the same vendor takes over before.
typedef struct Flip {
    const char *what, *unit;
    double value, flip;
    double verdict_changes;  // where the verdict becomes another one than now; NaN: nowhere
    const char *text;
} Flip;

enum { REASONS_MAX = 8, FLIPS_MAX = 4, EXCLUSIONS_MAX = 32 };

typedef struct Verdict {
    Winner winner;
    const char *text;
    double probability;  // that the named winner (tie: the cheaper one) is cheaper; NaN when there is nothing to compare
    Estimate cost_ratio;  // AMD / NVIDIA, errors that both share cancelled; NaN
    const char *reasons_for[REASONS_MAX], *reasons_against[REASONS_MAX], *risks[REASONS_MAX];
    size_t n_for, n_against, n_risks;
    const char *next_step;
} Verdict;

// What moving a code base from NVIDIA to AMD takes. The caller gives what it counted, move_judge the rest. Without the price of an
// engineer's day, money is NaN.
typedef struct Move {
    const char *source;  // the code base, as asked
    const Effort *effort;
    const size_t *findings;  // PORT_CLASS_COUNT, of its own files
    size_t not_analysed;     // files and folders
    Estimate once_usd;          // first port, tests and CI
    Estimate upkeep_usd_month;  // of the first year
    Estimate saving_usd_month;  // of the best AMD option against the best NVIDIA option, for the same tokens; below 0: it costs more
    Estimate break_even_months;  // NaN: never, or not known; `text` says which
    const char *text;
} Move;

typedef struct Advice {
    const Ask *ask;
    const Option *options;  // cheapest first
    size_t n_options, n_found;  // kept; before `top` cut the list
    const Option *best[VENDOR_COUNT];  // NULL: none
    size_t providers[VENDOR_COUNT];    // with at least one option, before `top` cut the list
    const Option *next[VENDOR_COUNT];  // the vendor's best of another GPU or provider than best[]; NULL: none
    Verdict verdict;
    Flip flips[FLIPS_MAX];
    size_t n_flips;
    Exclusion exclusions[EXCLUSIONS_MAX];
    size_t n_exclusions;
    size_t offers_seen, offers_used;
    size_t offers_too_old;  // left out by max_age_days alone
    int64_t oldest_price_days, newest_price_days;  // age of the prices used; -1 = none
    const Move *move;       // NULL: no code base was asked about
    bool nothing_but_age;   // every offer that fitted the filters was too old
} Advice;

// Answers. Fails only when the ask cannot be worked on (a serving workload without lengths); an empty answer is an answer:
// n_options 0, winner neither.
bool advise(const Facts *facts, const Ask *ask, Arena *a, Advice *ret_advice, Err *e);

// Saving and break-even of `move` under this advice.
void move_judge(const Advice *advice, Arena *a, Move *move);

// ---------------------------------------------------------------- parts, for tests

// ln of the AMD / NVIDIA cost ratio: mean and standard deviation, with the parts of the error that the two options have
// in common (same model, engine, GPU; the very same configuration) cancelled.
void cost_ratio(const Facts *facts, const Option *numerator, const Option *denominator, double *ret_mean, double *ret_sigma);

#endif
