// `gpuadvise validate`: the estimator held against measurements.
#include <math.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/validate_runs.h"
#include "src/fit/calibrate.h"
#include "src/fit/task_fit.h"
#include "src/report/validation.h"

enum { GROUPS_MAX = 200 };

static void check_all(const Facts *f, const Measurement *rows, size_t n, Check *checks) {
    for (size_t i = 0; i < n; i++) {
        Prediction p;
        predict(f, &rows[i], &p);
        check_row(&rows[i], &p, &checks[i]);
    }
}

// Replaces the predictions of all rows that can be refitted by those made without their own cell or source.
// Rows of the user's own move the shipped factors, which have not seen them.
static void check_left_out(App *app, const Facts *f, const Measurement *rows, size_t n, LeaveOut leave_out,
                           Check *checks) {
    FitRow *fit = NULL;
    Efficiency *table = NULL;
    LeftOut left;
    size_t n_fit = fit_rows(f, rows, n, leave_out, &app->arena, &fit);
    const char *own = opt_text(app, OPT_MEASUREMENTS, NULL);
    CalibrateWant want = {fit, n_fit, f, own != NULL ? f : NULL, ""};
    calibrate(&want, &app->arena, &table, &left);
    for (size_t i = 0; i < n_fit; i++) {
        Prediction p = fit[i].prediction;
        p.rate = exp(left.errors[i] + fit[i].measured);
        p.tpot_s = exp(left.tpots[i]);
        // of the statistic that the row states; the other one moves along
        double moved = exp(left.ttfts[i]) / (ttft_is_mean(fit[i].row) ? p.ttft_mean_s : p.ttft_s);
        p.ttft_s *= moved, p.ttft_mean_s *= moved;
        p.sigma_log = hypot(left.sigmas[i], p.doubt_log);
        check_row(fit[i].row, &p, &checks[fit[i].row - rows]);
    }
}

// The same for training, images, video, HPC and embeddings.
static void check_tasks_left_out(App *app, const Facts *f, const Measurement *rows, size_t n,
                                 LeaveOut leave_out, Check *checks) {
    TaskRow *fit = NULL;
    TaskEfficiency *table = NULL;
    const Facts *known = opt_text(app, OPT_MEASUREMENTS, NULL) != NULL ? f : NULL;
    size_t n_fit = task_rows(f, rows, n, leave_out, &app->arena, &fit);
    task_fit(&(TaskFitWant){fit, n_fit, known, ""}, &app->arena, &table);
    for (size_t i = 0; i < n_fit; i++) {
        Prediction p = fit[i].prediction;
        p.rate = exp(fit[i].left_rate);
        p.sigma_log = fit[i].left_sigma;
        p.not_predicted = NULL;
        check_row(fit[i].row, &p, &checks[fit[i].row - rows]);
    }
}

// Runs of agents and KV capacities that engines printed: public ones, beside public measurements.
static bool check_agents(App *app, Catalog *catalog, const Facts *f, Validation *v, Err *e) {
    const AgenticRun *runs = NULL;
    Arena *a = &app->arena;
    if (v->own) return true;
    if (!catalog_agentic_runs(catalog, a, &runs, &v->n_agents, e) ||
        !catalog_kv_settings(catalog, a, &v->settings, &v->n_settings, e))
        return false;
    AgenticCheck *checks = arena_alloc(a, v->n_agents + 1, sizeof *checks);
    agentic_check(f, runs, v->n_agents, a, checks);
    AgenticStats *groups = arena_alloc(a, AGENTIC_GROUPS_MAX, sizeof *groups);
    v->agents = checks;
    v->agent_groups = groups;
    v->n_agent_groups = agentic_groups(checks, v->n_agents, a, groups);
    KvCapacity *capacities = arena_alloc(a, v->n_settings + 1, sizeof *capacities);
    for (size_t i = 0; i < v->n_settings; i++) {
        double nan = (double)NAN;
        if (!kv_setting_capacity(f, &v->settings[i], &capacities[i]))
            capacities[i] = (KvCapacity){nan, nan, nan, nan, nan, nan};
    }
    v->capacities = capacities;
    return true;
}

// Sums of kernels alone, which no factor and nothing left out moves.
static void check_kernels(App *app, const Facts *f, Validation *v) {
    if (v->own) return;
    KernelSumStats *sums = arena_alloc(&app->arena, KERNEL_SUMS_MAX, sizeof *sums);
    KernelStep *steps = arena_alloc(&app->arena, STEP_MODELS, sizeof *steps);
    v->n_kernel_sums = kernel_sums(v->checks, v->n, &app->arena, sums);
    v->n_kernel_steps = kernel_steps(f, steps);
    v->kernel_sums = sums, v->kernel_steps = steps;
}

// The same where publishers or blocks are left out.
static bool within_unseen(App *app, const Validation *v) {
    const char *misses[UNSEEN_MISSES_MAX];
    size_t n = unseen_misses(v, &app->arena, misses);
    for (size_t i = 0; i < n; i++) app_warn(app, "gate: %s", misses[i]);
    return n == 0 && v->n_groups > 0 && v->groups[0].n > 0;
}

// The project's own limits (grades A and B, special rows apart).
static bool within_limits(App *app, const Validation *v) {
    if (is_unseen(v)) return within_unseen(app, v);
    bool ok = v->n_groups > 0 && v->groups[0].n > 0;
    if (!ok) app_warn(app, "gate: no measured row of grade A or B could be predicted");
    for (size_t i = 0; i < v->n_groups; i++) {
        const GroupStats *s = &v->groups[i];
        bool all = strcmp(s->by, "all") == 0;
        if (s->n == 0 || (!all && strcmp(s->by, "vendor") != 0)) continue;
        double median = all ? LIMIT_MEDIAN : LIMIT_GROUP_MEDIAN;
        bool good = s->median_abs_error_pct <= median;
        if (!good)
            app_warn(app, "gate: %s: median error %.1f %% is over %g %%", s->name, s->median_abs_error_pct,
                     median);
        ok = ok && good;
        if (!all) continue;
        bool rest = s->p90_abs_error_pct <= LIMIT_P90 && s->interval_coverage_pct >= LIMIT_RANGE_LOW &&
                    s->interval_coverage_pct <= LIMIT_RANGE_HIGH &&
                    !(s->pair_winner_accuracy_pct < LIMIT_PAIRS);
        if (!rest)
            app_warn(app,
                     "gate: 90th percentile %.1f %%, coverage %.1f %%, pairs %.1f %%: wanted at most %d, %d "
                     "to %d, at least %d",
                     s->p90_abs_error_pct, s->interval_coverage_pct, s->pair_winner_accuracy_pct, LIMIT_P90,
                     LIMIT_RANGE_LOW, LIMIT_RANGE_HIGH, LIMIT_PAIRS);
        ok = ok && rest;
    }
    return ok;
}

static void print_validation(App *app, const Validation *v) {
    if (app->format != FORMAT_JSON) {
        validation_text(v, app->format, app_room(app), &app->arena, &app->out);
        return;
    }
    Json *root = app_json(app);
    validation_json(v, &app->arena, root);
}

// The rows under the shipped factors (`left_out` "none") or with parts left out.
static Validation validation_of(App *app, const Facts *f, const Measurement *rows, size_t n,
                                const char *left_out) {
    Check *checks = arena_alloc(&app->arena, n + 1, sizeof *checks);
    GroupStats *groups = arena_alloc(&app->arena, GROUPS_MAX, sizeof *groups);
    int part = name_index(leave_out_names, left_out);
    check_all(f, rows, n, checks);
    if (part >= 0) check_left_out(app, f, rows, n, (LeaveOut)part, checks);
    if (part >= 0) check_tasks_left_out(app, f, rows, n, (LeaveOut)part, checks);
    for (size_t i = 0; i < n; i++) checks[i].publisher = publisher_of(f, &rows[i]);
    Validation v = {.checks = checks,
                    .n = n,
                    .groups = groups,
                    .n_groups = all_groups(checks, n, &app->arena, groups, GROUPS_MAX),
                    .own = opt_text(app, OPT_MEASUREMENTS, NULL) != NULL,
                    .left_out = part >= 0 ? left_out : ""};
    vendor_order(f, checks, n, &app->arena, &v.order);
    return v;
}

// For the page: what was asked for beside publishers and blocks, which is what somebody else's run is like.
static void add_kinds(App *app, const Facts *f, const Measurement *rows, size_t n, Validation *v) {
    static const LeaveOut shown[] = {LEAVE_OUT_PUBLISHER, LEAVE_OUT_BLOCK};
    Validation *kinds = arena_alloc(&app->arena, COUNT_OF(shown) + 1, sizeof *kinds);
    size_t made = 0;
    kinds[made++] = *v;
    for (size_t i = 0; i < COUNT_OF(shown); i++) {
        const char *name = leave_out_names[shown[i]];
        if (strcmp(v->left_out, name) != 0) kinds[made++] = validation_of(app, f, rows, n, name);
    }
    v->kinds = kinds, v->n_kinds = made;
}

static int run(App *app) {
    if (opt_flag(app, OPT_RUNS)) return validate_runs(app);
    Err e = {0};
    Catalog *catalog = NULL;
    Facts f;
    const Measurement *rows = NULL;
    size_t n = 0;
    if (!app_catalog(app, &catalog, &e) || !catalog_facts(catalog, &app->arena, &f, &e) ||
        !app_measurements(app, catalog, &rows, &n, &e))
        return app_fail(app, &e);
    Validation v = validation_of(app, &f, rows, n, opt_text(app, OPT_LEAVE_OUT, "none"));
    if (app->format == FORMAT_MD && v.left_out[0] != '\0' && !v.own) add_kinds(app, &f, rows, n, &v);
    if (!check_agents(app, catalog, &f, &v, &e)) return app_fail(app, &e);
    check_kernels(app, &f, &v);
    bool good = !opt_flag(app, OPT_GATE) || within_limits(app, &v);
    print_validation(app, &v);
    return good ? EXIT_DONE : EXIT_GATE;
}

OPTIONS(OPT_MEASUREMENTS, OPT_LEAVE_OUT, OPT_RUNS, OPT_GATE);
static const Verb verbs[] = {{"", "", 0, 0, false, NULL, options, run}};

COMMAND(
    validate, "validate", FORMATS_LISTING, .summary = "the estimator's errors against public measurements",
    .description =
        "Predicts every published row of the catalog, or every row of a CSV of your own, from what is known "
        "before measuring, and prints median and 90th-percentile errors, bias, how many lie in the 80 % "
        "range, and how often the faster vendor is called right and what a probability that is said of it is "
        "worth. A file needs the columns of data/measurements.tsv that it uses; rows without a task are "
        "serving, without a grade of grade A. --runs: how it did on the runs that you imported (`gpuadvise "
        "runs`) before they counted, by tool, GPU and figure; with --format md a page to hand on.");
