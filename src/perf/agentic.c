// Public runs of agents: fit and check.
#include "src/perf/agentic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/median.h"
#include "src/perf/engines.h"
#include "src/perf/replica.h"

// A run with its configuration worked out.
typedef struct Known {
    const AgenticRun *run;
    Serving serving;
    KvCapacity kv;   // by the estimator
    double think_s;  // as the run shows it; NaN beyond the cliff, where its window cuts requests off
    bool scored;
    const char *not_predicted;
} Known;

static const double BEYOND = 0.8;  // ratio from which caches begin to go

static const char *flagged(const AgenticRun *r) {
    static const struct {
        const char *word, *why;
    } words[] = {{"valid=false", "invalid by the scenario's own rule"},
                 {"faulty", "faulty by its author"},
                 {"short", "broke off"},
                 {"few-requests", "few requests"},
                 {"cancelled", "cancelled"},
                 {"failed", "failed"}};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (text_contains(r->flag, words[i].word)) return words[i].why;
    }
    return NULL;
}

// ---------------------------------------------------------------- configurations

static bool find_subject(const Facts *f, const char *sku, const char *model, ServingWant *want) {
    want->gpu = facts_gpu(f, sku);
    want->model = facts_model(f, model);
    return want->gpu != NULL && want->model != NULL;
}

// A cache whose dtype is not stated: vLLM's runs of this harness ask for 8 bits, SGLang takes the model's own.
static Dtype cache_dtype(const char *engine, Dtype stated) {
    if (stated != DTYPE_UNKNOWN) return stated;
    return strcmp(engine, "vllm") == 0 ? DTYPE_FP8 : DTYPE_BF16;
}

// Where the host's memory is not recorded it is taken to be the GPUs' share of a machine's.
static double host_gb(const Facts *f, const AgenticRun *r) {
    if (strcmp(r->offload, "none") == 0) return 0;
    return is_known(r->host_gb) ? r->host_gb : constant_of(f, CONSTANT_HOST_GB_PER_GPU) * r->gpu_count;
}

static const char *resolve(const Facts *f, const AgenticRun *r, Serving *ret) {
    ServingWant want = {
        .engine = r->engine,
        .layout = {(int)r->tp, 1, (int)r->ep, (int)fmax(r->gpu_count / r->tp, 1)},
        .weights = r->precision_weights,
        .kv = cache_dtype(r->engine, r->precision_kv),
        .isl = r->input_tokens,
        .osl = r->output_tokens,
        .techniques = {.memory_fraction = or_zero(r->memory_fraction), .host_gb = host_gb(f, r)}};
    if (!find_subject(f, r->gpu_sku, r->model, &want)) return "GPU or model not in the catalog";
    if (!is_known(r->input_tokens) || !is_known(r->output_tokens)) return "lengths unknown";
    ServeStatus status = serving_resolve(f, &want, ret);
    return status == SERVE_OK ? NULL : serve_status_names[status];
}

bool kv_setting_capacity(const Facts *f, const KvSetting *k, KvCapacity *ret) {
    static const double CONTEXT = 65536;  // tokens; what engines print does not depend on it but for states
    ServingWant want = {.engine = k->engine,
                        .layout = {(int)k->tp, 1, 1, 1},
                        .weights = k->precision_weights,
                        .kv = cache_dtype(k->engine, k->precision_kv),
                        .isl = CONTEXT,
                        .osl = 1,
                        .techniques = {.memory_fraction = k->memory_fraction}};
    Serving s;
    if (!find_subject(f, k->gpu_sku, k->model, &want) || serving_resolve(f, &want, &s) != SERVE_OK)
        return false;
    *ret = kv_capacity(f, &s);
    return true;
}

static double ratio_of(const Known *k) { return k->run->sessions * k->run->input_tokens / k->kv.tokens; }

static double requests_s(const AgenticRun *r) {
    return r->total_tokens_per_s / (r->input_tokens + r->output_tokens);
}

static void know(const Facts *f, const AgenticRun *r, Known *ret) {
    *ret = (Known){.run = r, .think_s = (double)NAN};
    ret->not_predicted = resolve(f, r, &ret->serving);
    if (ret->not_predicted != NULL) return;
    ret->kv = kv_capacity(f, &ret->serving);
    ret->scored = flagged(r) == NULL && r->total_tokens_per_s > 0;
    double think = r->sessions / requests_s(r) - r->e2e_s;
    if (ratio_of(ret) < BEYOND && think > 0) ret->think_s = think;
}

// ---------------------------------------------------------------- fit

typedef struct Training {
    const Facts *facts;
    const Known *known;
    size_t n;
    const char *without;  // model; NULL: none
    double think_s;       // median
} Training;

static bool in_training(const Training *t, const Known *k) {
    return k->scored && (t->without == NULL || strcmp(k->run->model, t->without) != 0);
}

// Median of a figure of the runs in training; NaN where none has it.
static double training_median(const Training *t, double (*of)(const Known *k), Arena *a) {
    double *x = arena_alloc(a, t->n + 1, sizeof *x);
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        double value = in_training(t, &t->known[i]) ? of(&t->known[i]) : (double)NAN;
        if (is_known(value)) x[n++] = value;
    }
    return median(x, n);
}

static double hit_max_of(const Known *k) { return k->run->hit_rate_max; }
static double think_of(const Known *k) { return k->think_s; }

// Of the sequences that the reported capacity holds, those that run while others wait.
static double running_share_of(const Known *k) {
    static const double WAITING_LEAST = 5;
    const AgenticRun *r = k->run;
    if (!(r->waiting > WAITING_LEAST)) return (double)NAN;
    return fmin(r->running * (r->input_tokens + r->output_tokens / 2) / r->kv_tokens, 1);
}

// The same run with caches in host memory and without, below the cliff, where they save nothing.
static bool are_pair(const Known *with, const Known *without) {
    static const double LENGTH_MOST = 0.05;  // ln
    const AgenticRun *a = with->run, *b = without->run;
    return a->sessions == b->sessions && a->gpu_count == b->gpu_count && a->tp == b->tp &&
           strcmp(a->offload, "none") != 0 && strcmp(b->offload, "none") == 0 &&
           strcmp(a->model, b->model) == 0 && strcmp(a->gpu_sku, b->gpu_sku) == 0 &&
           strcmp(a->engine, b->engine) == 0 && strcmp(a->dataset, b->dataset) == 0 &&
           fabs(log(a->input_tokens / b->input_tokens)) < LENGTH_MOST && ratio_of(without) < BEYOND;
}

// How much longer a request takes with caches in host memory where they save nothing: median over pairs of
// runs.
static double offload_ratio_of(const Training *t, Arena *a) {
    double *x = arena_alloc(a, t->n * t->n + 1, sizeof *x);
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        for (size_t j = 0; j < t->n; j++) {
            const Known *with = &t->known[i], *without = &t->known[j];
            if (in_training(t, with) && in_training(t, without) && are_pair(with, without))
                x[n++] = with->run->e2e_s / without->run->e2e_s;
        }
    }
    return median(x, n);
}

// Mean distance of the measured hit rates from a cliff.
static double cliff_distance(const Training *t, double at, double steepness) {
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        const AgenticRun *r = t->known[i].run;
        if (!in_training(t, &t->known[i]) || !is_known(r->hit_device) || !is_known(r->hit_rate_max)) continue;
        double share = fmin(r->hit_device / reusable_share(&t->known[i].serving, r->hit_rate_max), 1);
        double capacity = is_known(r->kv_tokens) ? r->kv_tokens : t->known[i].kv.tokens;
        sum += fabs(1 / (1 + pow(r->sessions * r->input_tokens / capacity / at, steepness)) - share);
        n++;
    }
    return n > 0 ? sum / (double)n : (double)NAN;
}

static void fit_cliff(const Training *t, AgenticFit *fit) {
    static const double steepnesses[] = {6, 8, 10, 12, 16, 20};
    double best = (double)INFINITY;
    for (double at = 0.8; at < 1.105; at += 0.02) {
        for (size_t i = 0; i < COUNT_OF(steepnesses); i++) {
            double distance = cliff_distance(t, at, steepnesses[i]);
            if (!(distance < best)) continue;
            best = distance;
            fit->cliff_at = at, fit->cliff_steepness = steepnesses[i];
        }
    }
}

static SessionPoint predict(const Facts *f, const Known *k, const AgenticFit *fit, double think_s) {
    const AgenticRun *r = k->run;
    double hit_max = is_known(r->hit_rate_max) ? r->hit_rate_max : fit->hit_max;
    SessionLoad load = {.curve = cliff_curve(hit_max, r->input_tokens, fit->cliff_at, fit->cliff_steepness),
                        .curve_tokens = r->input_tokens,
                        .think_s = think_s,
                        .sessions = r->sessions / fmax(r->gpu_count / r->tp, 1),
                        .replicas = fmax(r->gpu_count / r->tp, 1)};
    return session_at(f, &fit->factors, &k->serving, &k->kv, &load);
}

// Mean of the errors in ln: of tokens/s, and with less weight of TTFT, which runs and their windows blur; each
// configuration counts alike, however many runs it has.
static double fit_distance(const Training *t, const AgenticFit *fit) {
    static const double RATE_MOST = 0.7, TTFT_WEIGHT = 0.3, TTFT_MOST = 1.5;  // more is a run's own trouble
    double all = 0;
    size_t groups = 0;
    for (size_t i = 0; i < t->n; i++) {
        const AgenticRun *first = t->known[i].run;
        double sum = 0;
        size_t n = 0;
        if (!in_training(t, &t->known[i])) continue;
        for (size_t j = 0; j < t->n; j++) {
            const Known *k = &t->known[j];
            const AgenticRun *r = k->run;
            bool same = strcmp(r->model, first->model) == 0 && strcmp(r->gpu_sku, first->gpu_sku) == 0 &&
                        r->gpu_count == first->gpu_count;
            if (!in_training(t, k) || !same) continue;
            if (j < i) {  // counted with an earlier run
                n = 0;
                break;
            }
            SessionPoint p = predict(t->facts, k, fit, is_known(k->think_s) ? k->think_s : t->think_s);
            double ttft = fabs(log(p.point.ttft_s / r->ttft_s));
            sum += fmin(fabs(log(p.point.total_tokens_s / r->total_tokens_per_s)), RATE_MOST);
            sum += is_known(ttft) ? TTFT_WEIGHT * fmin(ttft, TTFT_MOST) : 0;
            n++;
        }
        if (n == 0) continue;
        all += sum / (double)n;
        groups++;
    }
    return all / (double)groups;
}

// By steps that shrink: the distance has one valley.
static void fit_steps(const Training *t, AgenticFit *fit) {
    double *const ratios[] = {&fit->factors.alone_ratio, &fit->factors.step_ratio,
                              &fit->factors.host_us_token};
    double best = fit_distance(t, fit);
    for (double step = 1.6; step > 1.02; step = sqrt(step)) {
        for (size_t i = 0; i < 2 * COUNT_OF(ratios);) {
            double *ratio = ratios[i / 2], was = *ratio;
            *ratio = i % 2 == 0 ? was * step : was / step;
            double distance = fit_distance(t, fit);
            if (distance < best - 1e-9) {
                best = distance, i = 0;
            } else {
                *ratio = was, i++;
            }
        }
    }
}

static AgenticFit fit_known(const Facts *f, const Known *known, size_t n, const char *without, Arena *a) {
    Training t = {f, known, n, without, (double)NAN};
    AgenticFit fit = {.factors = session_factors(f)};
    for (size_t i = 0; i < n; i++) fit.n += in_training(&t, &known[i]);
    if (fit.n == 0) return fit;
    t.think_s = training_median(&t, think_of, a);
    fit.hit_max = training_median(&t, hit_max_of, a);
    double share = training_median(&t, running_share_of, a);
    if (is_known(share)) fit.factors.running_share = share;
    double offload = offload_ratio_of(&t, a);
    if (is_known(offload)) fit.factors.offload_ratio = offload;
    static const double HOST_US_START = 5;  // where the steps begin, which multiply
    fit.factors.alone_ratio = fit.factors.step_ratio = 1;
    fit.factors.host_us_token = HOST_US_START;
    fit_cliff(&t, &fit);
    fit_steps(&t, &fit);
    return fit;
}

static Known *know_all(const Facts *f, const AgenticRun *runs, size_t n, Arena *a) {
    Known *known = arena_alloc(a, n + 1, sizeof *known);
    for (size_t i = 0; i < n; i++) know(f, &runs[i], &known[i]);
    return known;
}

AgenticFit agentic_fit(const Facts *f, const AgenticRun *runs, size_t n, const char *without, Arena *a) {
    return fit_known(f, know_all(f, runs, n, a), n, without, a);
}

// ---------------------------------------------------------------- check

// Seconds that sessions think, by other models' runs of the same recorded sessions (of any, where none has
// them) with the nearest number of sessions.
static double think_by_others(const Known *known, size_t n, const Known *k, Arena *a) {
    double *x = arena_alloc(a, n + 1, sizeof *x);
    for (int any = 0; any < 2; any++) {
        double nearest = (double)INFINITY;
        size_t found = 0;
        for (size_t i = 0; i < n; i++) {
            const AgenticRun *r = known[i].run;
            if (!known[i].scored || !is_known(known[i].think_s) || strcmp(r->model, k->run->model) == 0 ||
                (any == 0 && strcmp(r->dataset, k->run->dataset) != 0))
                continue;
            double far = fabs(log(r->sessions / k->run->sessions));
            if (far > nearest + 1e-9) continue;
            if (far < nearest - 1e-9) nearest = far, found = 0;
            x[found++] = known[i].think_s;
        }
        if (found > 0) return median(x, found);
    }
    return (double)NAN;
}

static void check_one(const Facts *f, const Known *k, const AgenticFit *fit, double think_s,
                      AgenticCheck *ret) {
    const AgenticRun *r = k->run;
    *ret = (AgenticCheck){.run = r,
                          .left_out = flagged(r),
                          .not_predicted = k->not_predicted,
                          .sigma_log = (double)NAN,
                          .error = (double)NAN,
                          .ttft_error = (double)NAN,
                          .hit_error = (double)NAN,
                          .think_s = think_s};
    if (ret->not_predicted == NULL && (fit->n == 0 || !is_known(think_s)))
        ret->not_predicted = "no run of another model";
    if (ret->not_predicted != NULL) return;
    ret->kv = k->kv;
    SessionPoint p = ret->predicted = predict(f, k, fit, think_s);
    ret->error = log(p.point.total_tokens_s / r->total_tokens_per_s);
    ret->sigma_log = fmax(k->serving.sigma_log, constant_of(f, CONSTANT_SIGMA_SESSIONS));
    ret->ttft_error = log(p.point.ttft_s / r->ttft_s);
    ret->hit_error = p.hit_device - r->hit_device;
    ret->side_known = is_known(r->hit_device) && is_known(r->hit_rate_max);
    ret->side_right = (p.hit_device > p.hit_max / 2) == (r->hit_device > r->hit_rate_max / 2);
}

void agentic_check(const Facts *f, const AgenticRun *runs, size_t n, Arena *a, AgenticCheck *checks) {
    const Known *known = know_all(f, runs, n, a);
    for (size_t i = 0; i < n; i++) {
        size_t first = 0;
        while (strcmp(runs[first].model, runs[i].model) != 0) first++;
        if (first < i) continue;  // its model was left out already
        AgenticFit fit = fit_known(f, known, n, runs[i].model, a);
        for (size_t j = i; j < n; j++) {
            if (strcmp(runs[j].model, runs[i].model) == 0)
                check_one(f, &known[j], &fit, think_by_others(known, n, &known[j], a), &checks[j]);
        }
    }
}

// ---------------------------------------------------------------- statistics

static bool is_beyond(const AgenticCheck *c) { return c->predicted.hit_device < c->predicted.hit_max / 2; }

static bool in_group(const AgenticCheck *c, const char *name) {
    if (c->left_out != NULL || c->not_predicted != NULL) return false;
    if (strcmp(name, "all") == 0) return true;
    if (strcmp(name, "below the cliff") == 0) return !is_beyond(c);
    if (strcmp(name, "beyond the cliff") == 0) return is_beyond(c);
    return strcmp(c->run->model, name) == 0;
}

static AgenticStats stats_of(const AgenticCheck *checks, size_t n, const char *name, Arena *a) {
    AgenticStats s = {.name = name};
    double *errors = arena_alloc(a, n + 1, sizeof *errors), *sizes = arena_alloc(a, n + 1, sizeof *sizes),
           *hits = arena_alloc(a, n + 1, sizeof *hits);
    size_t near = 0, right = 0, held = 0;
    for (size_t i = 0; i < n; i++) {
        const AgenticCheck *c = &checks[i];
        if (!in_group(c, name)) continue;
        if (is_known(c->error)) {
            held += fabs(c->error) <= Z80 * c->sigma_log;
            errors[s.n] = c->error;
            sizes[s.n++] = fabs(exp(c->error) - 1) * 100;
        }
        s.n_ttft += is_known(c->ttft_error);
        near += fabs(c->ttft_error) <= log(2);
        if (is_known(c->hit_error)) hits[s.n_hit++] = fabs(c->hit_error) * 100;
        s.n_side += c->side_known;
        right += c->side_known && c->side_right;
    }
    s.median_abs_error_pct = median(sizes, s.n);
    s.bias_pct = (exp(median(errors, s.n)) - 1) * 100;
    s.interval_coverage_pct = s.n > 0 ? 100.0 * (double)held / (double)s.n : (double)NAN;
    s.ttft_within_2x_pct = s.n_ttft > 0 ? 100.0 * (double)near / (double)s.n_ttft : (double)NAN;
    s.hit_median_abs_points = median(hits, s.n_hit);
    s.side_right_pct = s.n_side > 0 ? 100.0 * (double)right / (double)s.n_side : (double)NAN;
    return s;
}

size_t agentic_groups(const AgenticCheck *checks, size_t n, Arena *a, AgenticStats ret[AGENTIC_GROUPS_MAX]) {
    static const char *const named[] = {"all", "below the cliff", "beyond the cliff"};
    size_t made = 0;
    for (size_t i = 0; i < COUNT_OF(named); i++) ret[made++] = stats_of(checks, n, named[i], a);
    for (size_t i = 0; i < n && made < AGENTIC_GROUPS_MAX; i++) {
        size_t k = COUNT_OF(named);
        while (k < made && strcmp(ret[k].name, checks[i].run->model) != 0) k++;
        if (k == made) ret[made++] = stats_of(checks, n, checks[i].run->model, a);
    }
    return made;
}
