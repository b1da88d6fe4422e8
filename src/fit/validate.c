// Errors of predictions by group.
#include "src/fit/validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_special(const Measurement *m) {
    bool speculates = m->draft_tokens[0] != '\0' && strcmp(m->draft_tokens, "0") != 0;
    return speculates || is_split_serving(m) || strcmp(m->scenario, "request-rate") == 0;
}

bool ttft_is_mean(const Measurement *m) { return strcmp(m->latency_statistic, "mean") == 0; }

static double log_ratio(double predicted, double measured) {
    return predicted > 0 && measured > 0 ? log(predicted / measured) : (double)NAN;
}

void check_row(const Measurement *m, const Prediction *p, Check *ret) {
    *ret = (Check){.row = m,
                   .prediction = *p,
                   .error = (double)NAN,
                   .ttft_error = (double)NAN,
                   .tpot_error = (double)NAN,
                   .special = is_special(m),
                   .publisher = ""};
    if (p->not_predicted != NULL) return;
    ret->error = log_ratio(p->rate, measured_rate(m, p));
    ret->ttft_error = p->point.queued
                          ? (double)NAN
                          : log_ratio((ttft_is_mean(m) ? p->ttft_mean_s : p->ttft_s) * 1000, m->ttft_ms);
    ret->ttft_is_mean = ttft_is_mean(m);
    ret->tpot_error = log_ratio(p->tpot_s * 1000, m->tpot_ms);
    ret->inside = fabs(ret->error) <= Z80 * p->sigma_log;
}

// ---------------------------------------------------------------- quantiles

int compare_numbers(const void *left, const void *right) {
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

double sorted_quantile(const double *sorted, size_t n, double q) {
    if (n == 0) return (double)NAN;
    double at = q * (double)(n - 1);
    size_t i = (size_t)at;
    return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

typedef struct Errors {
    double *logs, *abs_pct;
    size_t n;
} Errors;

static void add_error(Errors *e, double error) {
    if (!is_known(error)) return;
    e->logs[e->n] = error;
    e->abs_pct[e->n++] = fabs(exp(error) - 1) * 100;
}

static Errors make_errors(Arena *a, size_t n) {
    return (Errors){arena_alloc(a, n + 1, sizeof(double)), arena_alloc(a, n + 1, sizeof(double)), 0};
}

static void sort_errors(Errors *e) {
    qsort(e->logs, e->n, sizeof *e->logs, compare_numbers);
    qsort(e->abs_pct, e->n, sizeof *e->abs_pct, compare_numbers);
}

static bool in_means(const Check *c, const char *name);
static bool in_flight(const Check *c, const char *name);

// ---------------------------------------------------------------- pairs

bool is_vendor_pair(const Check *a, const Check *b) {
    const Measurement *x = a->row;
    const Measurement *y = b->row;
    return a->prediction.gpu->vendor != b->prediction.gpu->vendor && strcmp(x->model, y->model) == 0 &&
           x->input_tokens == y->input_tokens && x->output_tokens == y->output_tokens &&
           x->batch_or_concurrency == y->batch_or_concurrency && x->gpu_count == y->gpu_count;
}

static void count_pairs(const Check *const *kept, size_t n, GroupStats *s) {
    size_t right = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            if (!is_vendor_pair(kept[i], kept[k])) continue;
            double measured = log(kept[i]->row->output_tokens_per_s / kept[k]->row->output_tokens_per_s);
            double predicted = log(kept[i]->prediction.rate / kept[k]->prediction.rate);
            if (fabs(measured) <= log(1.1)) continue;
            s->n_pairs++;
            right += measured * predicted > 0;
        }
    }
    s->pair_winner_accuracy_pct = s->n_pairs > 0 ? 100.0 * (double)right / (double)s->n_pairs : (double)NAN;
}

GroupStats group_stats(const Check *checks, size_t n, bool (*in)(const Check *c, const char *name),
                       const char *by, const char *name, Arena *a) {
    GroupStats s = {.by = by, .name = name};
    Errors speed = make_errors(a, n), ttft = make_errors(a, n), tpot = make_errors(a, n);
    const Check **kept = arena_alloc(a, n + 1, sizeof *kept);
    bool means = in == in_means, either = in == in_flight;
    size_t inside = 0;
    for (size_t i = 0; i < n; i++) {
        const Check *c = &checks[i];
        if (c->prediction.not_predicted != NULL || (in != NULL && !in(c, name))) continue;
        if (either || c->ttft_is_mean == means) add_error(&ttft, c->ttft_error);
        add_error(&tpot, c->tpot_error);
        if (!is_known(c->error)) continue;
        kept[speed.n] = c;
        add_error(&speed, c->error);
        inside += c->inside;
    }
    s.n = speed.n, s.n_ttft = ttft.n, s.n_tpot = tpot.n;
    count_pairs(kept, s.n, &s);
    sort_errors(&speed), sort_errors(&ttft), sort_errors(&tpot);
    s.median_abs_error_pct = sorted_quantile(speed.abs_pct, speed.n, 0.5);
    s.p90_abs_error_pct = sorted_quantile(speed.abs_pct, speed.n, 0.9);
    s.bias_pct = (exp(sorted_quantile(speed.logs, speed.n, 0.5)) - 1) * 100;
    double squares = 0;
    for (size_t i = 0; i < speed.n; i++) squares += speed.logs[i] * speed.logs[i];
    s.rms_log = s.n > 0 ? sqrt(squares / (double)s.n) : (double)NAN;
    s.interval_coverage_pct = s.n > 0 ? 100.0 * (double)inside / (double)s.n : (double)NAN;
    s.ttft_median_abs_error_pct = sorted_quantile(ttft.abs_pct, ttft.n, 0.5);
    s.ttft_p90_abs_error_pct = sorted_quantile(ttft.abs_pct, ttft.n, 0.9);
    for (size_t i = 0; i < ttft.n; i++) ttft.logs[i] = fabs(ttft.logs[i]);
    qsort(ttft.logs, ttft.n, sizeof *ttft.logs, compare_numbers);
    s.ttft_median_factor = exp(sorted_quantile(ttft.logs, ttft.n, 0.5));
    s.tpot_median_abs_error_pct = sorted_quantile(tpot.abs_pct, tpot.n, 0.5);
    s.tpot_p90_abs_error_pct = sorted_quantile(tpot.abs_pct, tpot.n, 0.9);
    return s;
}

// ---------------------------------------------------------------- groups

static bool is_serving(const Check *c) { return !c->special && strcmp(c->row->task, "serving") == 0; }

bool is_scored_check(const Check *c) {
    return is_serving(c) && !c->row->held_out &&
           (strcmp(c->row->grade, "A") == 0 || strcmp(c->row->grade, "B") == 0);
}

static const char *vendor_of(const Check *c) {
    return c->prediction.gpu != NULL ? vendor_names[c->prediction.gpu->vendor] : "";
}
static const char *architecture_of(const Check *c) {
    return c->prediction.gpu != NULL ? c->prediction.gpu->architecture : "";
}
static const char *engine_of(const Check *c) { return c->row->engine; }
static const char *precision_of(const Check *c) { return c->row->precision_weights; }
static const char *scenario_of(const Check *c) { return c->row->scenario; }
// Kind of task for all but serving; prompts alone are one.
static const char *task_of(const Check *c) {
    if (strcmp(c->row->task, "serving") == 0) return "";
    return c->prediction.task.kind != NULL        ? c->prediction.task.kind
           : strcmp(c->row->task, "prefill") == 0 ? c->row->task
                                                  : "";
}
static const char *grade_of(const Check *c) { return c->row->grade; }

static bool in_scored(const Check *c, const char *name) {
    (void)name;
    return is_scored_check(c);
}
static bool in_grade(const Check *c, const char *name) {
    return !c->row->held_out && (is_serving(c) || !is_serving_task(c->row)) && strcmp(grade_of(c), name) == 0;
}
static bool in_vendor(const Check *c, const char *name) {
    return is_scored_check(c) && strcmp(vendor_of(c), name) == 0;
}
static bool in_architecture(const Check *c, const char *name) {
    return is_scored_check(c) && strcmp(architecture_of(c), name) == 0;
}
static bool in_engine(const Check *c, const char *name) {
    return is_scored_check(c) && strcmp(engine_of(c), name) == 0;
}
static bool in_precision(const Check *c, const char *name) {
    return is_scored_check(c) && strcmp(precision_of(c), name) == 0;
}
static bool in_scenario(const Check *c, const char *name) {
    return is_scored_check(c) && strcmp(scenario_of(c), name) == 0;
}
static bool in_task(const Check *c, const char *name) { return strcmp(task_of(c), name) == 0; }
static bool in_special(const Check *c, const char *name) {
    if (!c->special || c->row->held_out) return false;
    if (strcmp(name, "disaggregated") == 0) return strcmp(c->row->engine, name) == 0;
    if (strcmp(name, "request-rate") == 0)
        return strcmp(c->row->scenario, name) == 0 && !is_split_serving(c->row);
    return !is_split_serving(c->row) && strcmp(c->row->scenario, "request-rate") != 0;
}

static bool in_means(const Check *c, const char *name) {
    (void)name;
    return is_scored_check(c) && c->ttft_is_mean;
}

// Runs whose prompts all come at once; held out or not, since a publisher left out judges both alike.
static bool in_bursts(const Check *c, const char *name) {
    bool graded = strcmp(c->row->grade, "A") == 0 || strcmp(c->row->grade, "B") == 0;
    if (!graded || !is_serving(c) || !is_burst_run(&c->prediction)) return false;
    return strcmp(name, "all") == 0 || (strcmp(name, "held out") == 0) == (c->row->held_out != 0);
}

// TTFT, medians and means alike, by how many are in flight on a replica: { name, from, to }.
static const struct {
    const char *name;
    double from, to;
} flights[] = {{"1", 0, 1.5},
               {"2 to 32", 1.5, 32},
               {"33 to 99", 32, 99.5},
               {"100 to 160", 99.5, 160},
               {"over 160", 160, (double)INFINITY}};

static bool in_flight(const Check *c, const char *name) {
    if (!is_scored_check(c) || !is_known(c->ttft_error) || is_burst_run(&c->prediction)) return false;
    for (size_t i = 0; i < COUNT_OF(flights); i++) {
        if (strcmp(flights[i].name, name) == 0)
            return c->prediction.load > flights[i].from && c->prediction.load <= flights[i].to;
    }
    return false;
}

static const char RECENT[] = "2025-07";  // software of the last generations

static const char *recent_vendor_of(const Check *c) {
    return strcmp(c->row->date, RECENT) >= 0 ? vendor_of(c) : "";
}
static bool in_recent_vendor(const Check *c, const char *name) {
    return is_scored_check(c) && strcmp(recent_vendor_of(c), name) == 0;
}
static const char *publisher_of_check(const Check *c) { return c->publisher; }
static bool in_publisher(const Check *c, const char *name) {
    return is_scored_check(c) && strcmp(c->publisher, name) == 0;
}

// "2025 H2 nvidia"; of a date that says the year alone "2025 nvidia".
enum { HALF_YEAR_SIZE = 32 };
static void half_year_of(const Check *c, char ret[HALF_YEAR_SIZE]) {
    const char *date = c->row->date;
    const char *half = strlen(date) < strlen(RECENT) ? "" : strcmp(date + 5, "07") < 0 ? " H1" : " H2";
    snprintf(ret, HALF_YEAR_SIZE, "%.4s%s %s", date, half, vendor_of(c));
}
static bool in_half_year(const Check *c, const char *name) {
    char own[HALF_YEAR_SIZE];
    if (!is_scored_check(c)) return false;
    half_year_of(c, own);
    return strcmp(own, name) == 0;
}

// Rows that no fit has used, by vendor and by whether their software is of the last generations.
static bool in_held_out(const Check *c, const char *name) {
    bool graded = strcmp(c->row->grade, "A") == 0 || strcmp(c->row->grade, "B") == 0;
    if (!c->row->held_out || !graded || !is_serving(c)) return false;
    if (strcmp(name, "before 2025-07") == 0) return strcmp(c->row->date, RECENT) < 0;
    return strcmp(c->row->date, RECENT) >= 0 &&
           (strcmp(name, "since 2025-07") == 0 || strcmp(vendor_of(c), name) == 0);
}

typedef struct Grouping {
    const char *by;
    const char *(*name_of)(const Check *c);
    bool (*in)(const Check *c, const char *name);
} Grouping;

static size_t add_grouping(const Grouping *g, const Check *checks, size_t n, Arena *a, GroupStats *ret,
                           size_t size) {
    size_t made = 0;
    for (size_t i = 0; i < n; i++) {
        const char *name = g->name_of(&checks[i]);
        if (name[0] == '\0' || !g->in(&checks[i], name)) continue;
        size_t k = 0;
        while (k < made && strcmp(ret[k].name, name) != 0) k++;
        if (k < made || made == size) continue;
        ret[made] = group_stats(checks, n, g->in, g->by, name, a);
        made += ret[made].n + ret[made].n_ttft + ret[made].n_tpot > 0;
    }
    return made;
}

static size_t add_half_years(const Check *checks, size_t n, Arena *a, GroupStats *ret, size_t size) {
    const char **names = arena_alloc(a, n + 1, sizeof *names);
    size_t n_names = 0, made = 0;
    for (size_t i = 0; i < n; i++) {
        char name[HALF_YEAR_SIZE];
        if (!is_scored_check(&checks[i]) || checks[i].prediction.gpu == NULL) continue;
        half_year_of(&checks[i], name);
        names[n_names++] = arena_copy(a, name, strlen(name));
    }
    qsort(names, n_names, sizeof *names, order_texts);
    for (size_t i = 0; i < n_names && made < size; i++) {
        if (i > 0 && strcmp(names[i], names[i - 1]) == 0) continue;
        ret[made] = group_stats(checks, n, in_half_year, "half-year", names[i], a);
        made += ret[made].n > 0;
    }
    return made;
}

static int by_sigma(const void *left, const void *right) {
    const Check *a = left;
    const Check *b = right;
    double x = a->prediction.sigma_log, y = b->prediction.sigma_log;
    return x != y ? (x > y) - (x < y) : strcmp(a->row->id, b->row->id);
}

// Fifths of the rows, narrowest range first.
static size_t add_sigma_fifths(const Check *checks, size_t n, Arena *a, GroupStats *ret, size_t size) {
    enum { FIFTHS = 5 };
    Check *kept = arena_alloc(a, n + 1, sizeof *kept);
    size_t n_kept = 0, made = 0;
    for (size_t i = 0; i < n; i++) {
        bool counts = is_scored_check(&checks[i]) && is_known(checks[i].error);
        if (counts && checks[i].prediction.not_predicted == NULL) kept[n_kept++] = checks[i];
    }
    if (n_kept < FIFTHS) return 0;
    qsort(kept, n_kept, sizeof *kept, by_sigma);
    for (size_t f = 0; f < FIFTHS && made < size; f++) {
        size_t first = n_kept * f / FIFTHS, end = n_kept * (f + 1) / FIFTHS;
        const char *name = arena_printf(a, "%.2f to %.2f", kept[first].prediction.sigma_log,
                                        kept[end - 1].prediction.sigma_log);
        ret[made++] = group_stats(kept + first, end - first, in_scored, "sigma", name, a);
    }
    return made;
}

size_t all_groups(const Check *checks, size_t n, Arena *a, GroupStats *ret, size_t size) {
    static const Grouping recent = {"since 2025-07", recent_vendor_of, in_recent_vendor};
    static const Grouping groupings[] = {
        {"publisher", publisher_of_check, in_publisher},
        {"grade", grade_of, in_grade},
        {"vendor", vendor_of, in_vendor},
        {"architecture", architecture_of, in_architecture},
        {"engine", engine_of, in_engine},
        {"precision", precision_of, in_precision},
        {"scenario", scenario_of, in_scenario},
        {"task", task_of, in_task},
    };
    static const struct {
        const char *by, *name;
        bool (*in)(const Check *c, const char *name);
    } named[] = {
        {"special", "speculative", in_special},
        {"special", "disaggregated", in_special},
        {"special", "request-rate", in_special},
        {"special", "mean-latencies", in_means},
        {"held-out", "since 2025-07", in_held_out},
        {"held-out", "nvidia", in_held_out},
        {"held-out", "amd", in_held_out},
        {"held-out", "before 2025-07", in_held_out},
        {"burst", "all", in_bursts},
        {"burst", "fitted", in_bursts},
        {"burst", "held out", in_bursts},
    };
    size_t made = 0;
    if (size > 0) ret[made++] = group_stats(checks, n, in_scored, "all", "A and B", a);
    made += add_grouping(&recent, checks, n, a, ret + made, size - made);
    made += add_sigma_fifths(checks, n, a, ret + made, size - made);
    made += add_half_years(checks, n, a, ret + made, size - made);
    for (size_t g = 0; g < COUNT_OF(groupings); g++)
        made += add_grouping(&groupings[g], checks, n, a, ret + made, size - made);
    for (size_t i = 0; i < COUNT_OF(named) && made < size; i++) {
        GroupStats s = group_stats(checks, n, named[i].in, named[i].by, named[i].name, a);
        if (s.n > 0) ret[made++] = s;
    }
    for (size_t i = 0; i < COUNT_OF(flights) && made < size; i++) {
        GroupStats s = group_stats(checks, n, in_flight, "in-flight", flights[i].name, a);
        if (s.n_ttft > 0) ret[made++] = s;
    }
    return made;
}
