// Efficiency factors as sums over the properties of a configuration.
#include "src/perf/effects.h"

#include <math.h>
#include <string.h>

#include "src/perf/perf.h"

// Software dates between which the trend of the factors was seen, in years.
static const double SOFTWARE_FIRST = 2025.5, SOFTWARE_MIDDLE = 2026.0;
const double SOFTWARE_LAST = 2026.6;

// Stacks of before are of another age.
static const double NEW_STACK = 2025.0;
// A new model's support matures within months: time constant in years.
static const double MATURING_YEARS = 0.25;

void level_join(char out[LEVEL_SIZE], const char *const *parts, size_t n) {
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && at < LEVEL_SIZE - 1) out[at++] = '|';
        for (const char *p = parts[i]; *p != '\0' && at < LEVEL_SIZE - 1; p++) out[at++] = *p;
    }
    out[at] = '\0';
}

void effect_levels(const EffectSubject *s, EffectLevels *l) {
    bool moe = model_is_moe(s->model);
    const char *vendor = vendor_names[s->gpu->vendor], *layout = moe ? "moe" : "dense",
               *arch = s->gpu->architecture;
    const char *class = dtype_names[s->class];
    double date = fmin(s->software_date, SOFTWARE_LAST);
    double age = is_known(s->model->released) ? fmax(s->software_date - s->model->released, 0.02) : 10;
    *l = (EffectLevels){0};
    for (int e = 0; e < EFFECT_SPREAD; e++) l->weight[e] = 1;
    l->weight[EFFECT_TREND] = moe ? 2 * (fmax(date, SOFTWARE_FIRST) - SOFTWARE_MIDDLE) : 0;
    l->weight[EFFECT_NEW_MODEL] = exp(-age / MATURING_YEARS);
    LEVEL_JOIN(l->text[EFFECT_ALL], "*");
    LEVEL_JOIN(l->text[EFFECT_VENDOR], vendor);
    LEVEL_JOIN(l->text[EFFECT_LAYOUT], vendor, layout);
    LEVEL_JOIN(l->text[EFFECT_ARCHITECTURE], arch);
    LEVEL_JOIN(l->text[EFFECT_ENGINE], s->engine);
    LEVEL_JOIN(l->text[EFFECT_CLASS], class);
    LEVEL_JOIN(l->text[EFFECT_NATIVE], arch, class);
    LEVEL_JOIN(l->text[EFFECT_STACK], arch, s->software_date < NEW_STACK ? "before 2025" : "since 2025",
               layout);
    LEVEL_JOIN(l->text[EFFECT_MODEL], s->model->like != NULL ? s->model->like : s->model->model_id);
    LEVEL_JOIN(l->text[EFFECT_RUN], s->run_class);
    LEVEL_JOIN(l->text[EFFECT_TREND], vendor);
    LEVEL_JOIN(l->text[EFFECT_NEW_MODEL], vendor);
    LEVEL_JOIN(l->text[EFFECT_DISPATCH], s->engine, arch, layout);
    LEVEL_JOIN(l->text[EFFECT_AGE], s->engine, vendor);
    l->weight[EFFECT_AGE] = SOFTWARE_LAST - date;
    if (s->publisher == NULL) {
        l->weight[EFFECT_PUBLISHER] = l->weight[EFFECT_PUBLISHED_STACK] = 0;
    } else {
        LEVEL_JOIN(l->text[EFFECT_PUBLISHER], s->publisher);
        LEVEL_JOIN(l->text[EFFECT_PUBLISHED_STACK], s->publisher, s->engine, arch, layout);
    }
    const char *software = s->software_date < NEW_STACK ? "before 2025" : "since 2025";
    LEVEL_JOIN(l->spread[0], layout, software);
    LEVEL_JOIN(l->spread[1], layout, software, arch);
    LEVEL_JOIN(l->spread[2], layout, software, arch, s->engine);
}

unsigned effects_sum(const Facts *facts, const EffectLevels *l, double ret_sum[FACTOR_COUNT],
                     const Efficiency *ret_spread[SPREAD_LEVELS]) {
    unsigned found = 0;
    for (int k = 0; k < FACTOR_COUNT; k++) ret_sum[k] = 0;
    for (int i = 0; i < SPREAD_LEVELS; i++) ret_spread[i] = NULL;
    for (size_t i = 0; i < facts->n_efficiency; i++) {
        const Efficiency *r = &facts->efficiency[i];
        if (r->effect == EFFECT_SPREAD) {
            for (int s = 0; s < SPREAD_LEVELS; s++) {
                if (strcmp(r->level, l->spread[s]) == 0) ret_spread[s] = r;
            }
        } else if (r->level[0] == l->text[r->effect][0] &&
                   strcmp(r->level, l->text[r->effect]) ==
                       0) {  // first letters first: a search asks this a million times
            found |= 1U << r->effect;
            for (int k = 0; k < FACTOR_COUNT; k++) ret_sum[k] += l->weight[r->effect] * r->shift[k];
        }
    }
    return found;
}

static double share(double logit) { return 1 / (1 + exp(-logit)); }

Factors factors_of(const double x[FACTOR_COUNT]) {
    return (Factors){.eta_bw = share(x[FACTOR_BW]),
                     .eta_expert = share(x[FACTOR_EXPERT]),
                     .eta_kv = share(x[FACTOR_KV]),
                     .eta_compute = share(x[FACTOR_FL]),
                     .eta_prefill = share(x[FACTOR_PREFILL]),
                     .layer_overhead_s = exp(x[FACTOR_TAU]),
                     .tau_tp_s = exp(x[FACTOR_TAU_TP]),
                     .sequence_overhead_s = exp(x[FACTOR_SEQ]),
                     .link_logit = x[FACTOR_LINK],
                     .link_size = x[FACTOR_LINK_SIZE],
                     .start_s = exp(x[FACTOR_START]),
                     .scale = exp(x[FACTOR_SCALE]),
                     .prompt = exp(x[FACTOR_PROMPT]),
                     .step_s = exp(x[FACTOR_STEP]),
                     .kernel_sequence_s = exp(x[FACTOR_KERNEL_SEQ]),
                     .kernel_start_s = exp(x[FACTOR_KERNEL_START])};
}

void factors_mix_start(Factors *f, double kernels) {
    f->start_s = pow(f->kernel_start_s, kernels) * pow(f->start_s, 1 - kernels);
}

double factors_link_share(const Factors *f, double bytes) {
    return share(f->link_logit + f->link_size * log(bytes / 1e6));
}
