// Efficiency factors of serving as sums over properties of the configuration. Pure; used by serving.c and
// calibrate.c.
//
// Every factor is fitted on a scale where its errors are about normal - logit for a share of a peak, ln for a
// time - and is the sum of a common value and of what each property adds: vendor, architecture, engine, class
// of weights, age of the software, the model. A configuration that was never measured so borrows from all
// that share a property with it.
#ifndef GPUADVISE_PERF_EFFECTS_H
#define GPUADVISE_PERF_EFFECTS_H

#include "src/facts/facts.h"

// Factors of one configuration, as the serving model takes them.
typedef struct Factors {
    // share of peak bandwidth when reading weights, routed experts, the KV cache
    double eta_bw, eta_expert, eta_kv;
    // share of the dense peak of the compute dtype when decoding, when reading prompts
    double eta_compute, eta_prefill;
    double layer_overhead_s, tau_tp_s;  // fixed time per layer and step; added under tensor parallelism
    double sequence_overhead_s;         // per running sequence and step: sampling and scheduling
    // share of link bandwidth at 1 MB, as a logit, and what it gains per ln(size)
    double link_logit, link_size;
    double start_s;  // of a request, beside its prompt: handling, tokenising, scheduling
    // Where a step is a sum of kernels: what it takes of their time, a prompt of its own; beside them a step, a
    // sequence in it, a request.
    double scale, prompt, step_s, kernel_sequence_s, kernel_start_s;
} Factors;

// What is known of a configuration besides its size. Borrows.
typedef struct EffectSubject {
    const Gpu *gpu;
    const Model *model;
    const char *engine, *run_class;
    Dtype class;            // factor_class
    double software_date;   // years
    const char *publisher;  // who measured it; NULL: nobody in particular, as in every prediction
} EffectSubject;

// The level of each effect and how strongly it holds (0: not at all); `spread`: the groups whose errors its range
// is made of, widest first: dense or MoE under software of one age, the same on its architecture, under its engine.
enum { LEVEL_SIZE = 96, SPREAD_LEVELS = 3 };
typedef struct EffectLevels {
    char text[EFFECT_COUNT][LEVEL_SIZE];
    double weight[EFFECT_COUNT];
    char spread[SPREAD_LEVELS][LEVEL_SIZE];
} EffectLevels;

void effect_levels(const EffectSubject *subject, EffectLevels *ret);

// A level made of parts, joined by "|" and cut to the buffer.
void level_join(char out[LEVEL_SIZE], const char *const *parts, size_t n);
#define LEVEL_JOIN(out, ...)                                                                                 \
    level_join(out, (const char *const[]){__VA_ARGS__},                                                      \
               sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

// Adds a configuration's shifts up. `ret_spread[i]`: the row of its i-th group, NULL where there is none.
// Returns which effects were found, as bits.
unsigned effects_sum(const Facts *facts, const EffectLevels *levels, double ret_sum[FACTOR_COUNT],
                     const Efficiency *ret_spread[SPREAD_LEVELS]);

Factors factors_of(const double sum[FACTOR_COUNT]);

// The time before a request where sums of kernels have the share `kernels`, as of steps and prompts.
void factors_mix_start(Factors *factors, double kernels);

// Share of the link that a message of `bytes` reaches.
double factors_link_share(const Factors *f, double bytes);

// The newest software of which the trend of the factors was seen, in years.
extern const double SOFTWARE_LAST;

#endif
