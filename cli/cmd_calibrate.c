// `gpuadvise calibrate`: refits the efficiency factors to measurements.
#include "catalog/facts/load.h"
#include "cli/cmd.h"
#include "src/fit/calibrate.h"
#include "src/fit/task_fit.h"

// clang-format off
#define FACTOR_COLUMNS(X) \
    X("effect",       "PROPERTY",     TEXT,           effect_names[e->effect]) \
    X("level",        "VALUE",        TEXT,           e->level) \
    X("bw",           "BW",           NUMBER(3),      e->shift[FACTOR_BW]) \
    X("kv",           "KV",           NUMBER(3),      e->shift[FACTOR_KV]) \
    X("fl",           "FLOP",         NUMBER(3),      e->shift[FACTOR_FL]) \
    X("prefill",      "PREFILL",      NUMBER(3),      e->shift[FACTOR_PREFILL]) \
    X("tau",          "s/LAYER",      NUMBER(3),      e->shift[FACTOR_TAU]) \
    X("tau_tp",       "+TP",          MORE_NUMBER(3), e->shift[FACTOR_TAU_TP]) \
    X("link",         "LINK",         NUMBER(3),      e->shift[FACTOR_LINK]) \
    X("expert",       "EXPERT",       MORE_NUMBER(3), e->shift[FACTOR_EXPERT]) \
    X("seq",          "s/SEQ",        MORE_NUMBER(3), e->shift[FACTOR_SEQ]) \
    X("link_size",    "LINK SIZE",    MORE_NUMBER(3), e->shift[FACTOR_LINK_SIZE]) \
    X("start",        "START",        MORE_NUMBER(3), e->shift[FACTOR_START]) \
    X("scale",        "KERNELS",      MORE_NUMBER(3), e->shift[FACTOR_SCALE]) \
    X("prompt",       "OF PROMPTS",   MORE_NUMBER(3), e->shift[FACTOR_PROMPT]) \
    X("step",         "s/STEP",       MORE_NUMBER(3), e->shift[FACTOR_STEP]) \
    X("kernel_seq",   "KERNEL s/SEQ", MORE_NUMBER(3), e->shift[FACTOR_KERNEL_SEQ]) \
    X("kernel_start", "KERNEL START", MORE_NUMBER(3), e->shift[FACTOR_KERNEL_START]) \
    X("sigma_log",    "SIGMA",        NUMBER(2),      e->sigma_log) \
    X("n",            "N",            NUMBER(5),      e->n) \
    X("gpus",         "GPUS",         MORE_TEXT,      e->gpus) \
    X("source",       "SOURCE",       MORE_TEXT,      e->source) \
    X("as_of",        "AS OF",        MORE_TEXT,      e->as_of)
// clang-format on

static void print_table(App *app, const Efficiency *table, size_t n) {
    if (opt_flag(app, OPT_TSV)) {
        table_write(&fact_tables[TABLE_EFFICIENCY], table, n, &app->out);
        return;
    }
    Listing l = LISTING(&app->arena, "factors", FACTOR_COLUMNS, n);
    for (size_t i = 0; i < n; i++) {
        const Efficiency *e = &table[i];
        listing_row(&l, FACTOR_COLUMNS(LISTING_CELL));
    }
    l.note = "Shifts add up over a configuration's properties: logits of shares of peak (BW, KV, FLOP, "
             "PREFILL, LINK), ln of seconds. SIGMA: standard deviation of ln(predicted / measured) with each "
             "publisher left out of the fit.";
    app_answer(app, &l);
}

// ---------------------------------------------------------------- tasks

// clang-format off
#define TASK_COLUMNS(X) \
    X("effect",    "PROPERTY", TEXT,      task_effect_names[table[i].effect]) \
    X("level",     "VALUE",    TEXT,      table[i].level) \
    X("shift",     "ln SHARE", NUMBER(3), table[i].shift) \
    X("sigma_log", "SIGMA",    NUMBER(2), table[i].sigma_log) \
    X("n",         "N",        NUMBER(5), table[i].n) \
    X("gpus",      "GPUS",     MORE_TEXT, table[i].gpus) \
    X("source",    "SOURCE",   MORE_TEXT, table[i].source) \
    X("as_of",     "AS OF",    MORE_TEXT, table[i].as_of)
// clang-format on

static void list_tasks(App *app, const TaskEfficiency *table, size_t n, Listing *l) {
    *l = LISTING(&app->arena, "task_factors", TASK_COLUMNS, n);
    for (size_t i = 0; i < n; i++) listing_row(l, TASK_COLUMNS(LISTING_CELL));
    l->note = "Shifts of ln(achieved share of the binding peak) add up over a task's properties; N 0: an "
              "assumption without rows. SIGMA: standard deviation of ln(predicted / measured) with each cell "
              "left out of its own fit.";
}

static void print_tasks(App *app, const TaskEfficiency *table, size_t n) {
    if (opt_flag(app, OPT_TSV)) {
        table_write(&fact_tables[TABLE_TASK_EFFICIENCY], table, n, &app->out);
        return;
    }
    Listing l;
    list_tasks(app, table, n, &l);
    app_answer(app, &l);
}

// ---------------------------------------------------------------- run

typedef struct Input {
    Facts facts;
    const Measurement *rows;
    size_t n;
    const Facts *known;  // NULL: fitted from priors
    const char *source;
} Input;

static bool read_input(App *app, Input *in, Err *e) {
    Catalog *catalog = NULL;
    if (!app_catalog(app, &catalog, e) || !catalog_facts(catalog, &app->arena, &in->facts, e) ||
        !app_measurements(app, catalog, &in->rows, &in->n, e))
        return false;
    const char *own = opt_text(app, OPT_MEASUREMENTS, NULL);
    in->known = own != NULL ? &in->facts : NULL;
    in->source =
        arena_printf(&app->arena, "gpuadvise calibrate on %s", own != NULL ? own : "data/measurements.tsv");
    return true;
}

static bool calibrate_serving(App *app, const Input *in, Err *e) {
    FitRow *fit = NULL;
    Efficiency *table = NULL;
    LeftOut left;
    size_t n = fit_rows(&in->facts, in->rows, in->n, LEAVE_OUT_PUBLISHER, &app->arena, &fit), fitted = 0;
    for (size_t i = 0; i < n; i++) fitted += fit[i].weight > 0;
    if (fitted == 0)
        return err_set(e, ERR_FAILED,
                       "none of %zu measurements can be fitted: of grade A, B or R, with throughput, lengths "
                       "and a known GPU and model",
                       in->n);
    size_t n_table =
        calibrate(&(CalibrateWant){fit, n, &in->facts, in->known, in->source}, &app->arena, &table, &left);
    print_table(app, table, n_table);
    return true;
}

static bool calibrate_tasks(App *app, const Input *in, Err *e) {
    TaskRow *fit = NULL;
    TaskEfficiency *table = NULL;
    size_t n = task_rows(&in->facts, in->rows, in->n, LEAVE_OUT_CELL, &app->arena, &fit), fitted = 0;
    for (size_t i = 0; i < n; i++) fitted += fit[i].weight > 0;
    if (fitted == 0)
        return err_set(e, ERR_FAILED,
                       "none of %zu measurements can be fitted: of grade T, with a rate and a known GPU and "
                       "model or HPC case",
                       in->n);
    size_t n_table = task_fit(&(TaskFitWant){fit, n, in->known, in->source}, &app->arena, &table);
    print_tasks(app, table, n_table);
    return true;
}

static int run(App *app) {
    Err e = {0};
    Input in = {0};
    if (!read_input(app, &in, &e) ||
        !(opt_flag(app, OPT_TASKS) ? calibrate_tasks : calibrate_serving)(app, &in, &e))
        return app_fail(app, &e);
    return EXIT_DONE;
}

OPTIONS(OPT_MEASUREMENTS, OPT_TASKS, OPT_TSV);
static const Verb verbs[] = {{"", "", 0, 0, false, NULL, options, run}};

COMMAND(
    calibrate, "calibrate", FORMATS_LISTING, .summary = "refits the efficiency factors to measurements",
    .description =
        "Fits what every property of a configuration - vendor, architecture, weight class, engine, model, "
        "age of software - does to the factors, to the published measurements; thinly measured properties "
        "hardly shift. The shipped tables are `gpuadvise calibrate --tsv` and `gpuadvise calibrate --tasks "
        "--tsv`. A CSV of your own moves the shipped factors as far as its rows bear out.");
