// `gpuadvise calibrate`: refits the efficiency factors to measurements.
#include "catalog/facts/load.h"
#include "cli/cmd.h"
#include "src/fit/calibrate.h"
#include "src/fit/task_fit.h"

static const Column columns[] = {
    {.key = "effect", .title = "PROPERTY"},
    {.key = "level", .title = "VALUE"},
    {.key = "bw", .title = "BW", .number = true, .digits = 3},
    {.key = "kv", .title = "KV", .number = true, .digits = 3},
    {.key = "fl", .title = "FLOP", .number = true, .digits = 3},
    {.key = "prefill", .title = "PREFILL", .number = true, .digits = 3},
    {.key = "tau", .title = "s/LAYER", .number = true, .digits = 3},
    {.key = "tau_tp", .title = "+TP", .number = true, .digits = 3, .detail = true},
    {.key = "link", .title = "LINK", .number = true, .digits = 3},
    {.key = "expert", .title = "EXPERT", .number = true, .digits = 3, .detail = true},
    {.key = "seq", .title = "s/SEQ", .number = true, .digits = 3, .detail = true},
    {.key = "link_size", .title = "LINK SIZE", .number = true, .digits = 3, .detail = true},
    {.key = "start", .title = "START", .number = true, .digits = 3, .detail = true},
    {.key = "scale", .title = "KERNELS", .number = true, .digits = 3, .detail = true},
    {.key = "prompt", .title = "OF PROMPTS", .number = true, .digits = 3, .detail = true},
    {.key = "step", .title = "s/STEP", .number = true, .digits = 3, .detail = true},
    {.key = "kernel_seq", .title = "KERNEL s/SEQ", .number = true, .digits = 3, .detail = true},
    {.key = "kernel_start", .title = "KERNEL START", .number = true, .digits = 3, .detail = true},
    {.key = "sigma_log", .title = "SIGMA", .number = true, .digits = 2},
    {.key = "n", .title = "N", .number = true, .digits = 5},
    {.key = "gpus", .title = "GPUS", .detail = true},
    {.key = "source", .title = "SOURCE", .detail = true},
    {.key = "as_of", .title = "AS OF", .detail = true},
};

static void fill_row(Listing *l, const Efficiency *e) {
    size_t c = 0;
    listing_text(l, c++, effect_names[e->effect]);
    listing_text(l, c++, e->level);
    for (size_t i = 0; i < FACTOR_COUNT; i++) listing_number(l, c++, e->shift[i]);
    listing_number(l, c++, e->sigma_log);
    listing_number(l, c++, e->n);
    listing_text(l, c++, e->gpus);
    listing_text(l, c++, e->source);
    listing_text(l, c++, e->as_of);
    listing_row_done(l);
}

static void print_table(App *app, const Efficiency *table, size_t n) {
    if (opt_flag(app, OPT_TSV)) {
        table_write(&fact_tables[TABLE_EFFICIENCY], table, n, &app->out);
        return;
    }
    Listing l;
    listing_init(&l, &app->arena, "factors", columns, COUNT_OF(columns), n);
    for (size_t i = 0; i < n; i++) fill_row(&l, &table[i]);
    l.note = "Shifts add up over a configuration's properties: logits of shares of peak (BW, KV, FLOP, "
             "PREFILL, LINK), ln of seconds. SIGMA: "
             "standard deviation of ln(predicted / measured) with each publisher left out of the fit.";
    app_answer(app, &l);
}

// ---------------------------------------------------------------- tasks

static const Column task_columns[] = {
    {.key = "effect", .title = "PROPERTY"},
    {.key = "level", .title = "VALUE"},
    {.key = "shift", .title = "ln SHARE", .number = true, .digits = 3},
    {.key = "sigma_log", .title = "SIGMA", .number = true, .digits = 2},
    {.key = "n", .title = "N", .number = true, .digits = 5},
    {.key = "gpus", .title = "GPUS", .detail = true},
    {.key = "source", .title = "SOURCE", .detail = true},
    {.key = "as_of", .title = "AS OF", .detail = true},
};

static void list_tasks(App *app, const TaskEfficiency *table, size_t n, Listing *l) {
    listing_init(l, &app->arena, "task_factors", task_columns, COUNT_OF(task_columns), n);
    for (size_t i = 0; i < n; i++) {
        listing_add(l, L_TEXT(0, task_effect_names[table[i].effect]), L_TEXT(1, table[i].level),
                    L_NUMBER(2, table[i].shift), L_NUMBER(3, table[i].sigma_log), L_NUMBER(4, table[i].n),
                    L_TEXT(5, table[i].gpus), L_TEXT(6, table[i].source), L_TEXT(7, table[i].as_of));
    }
    l->note = "Shifts of ln(achieved share of the binding peak) add up over a task's properties; N 0: an "
              "assumption without rows. SIGMA: standard deviation of "
              "ln(predicted / measured) with each cell left out of its own fit.";
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

static const Verb verbs[] = {{"", "", 0, 0, false, NULL, NULL}};
OPTIONS(OPT_MEASUREMENTS, OPT_TASKS, OPT_TSV);

COMMAND(calibrate, "calibrate", FORMATS_LISTING, .summary = "refits the efficiency factors to measurements",
        .description =
            "Fits what every property of a configuration - vendor, architecture, weight class, "
            "engine, model, age of software - does to the "
            "factors, to the published measurements; thinly measured properties hardly shift. The "
            "shipped tables are `gpuadvise calibrate --tsv` and `gpuadvise calibrate --tasks --tsv`. "
            "A CSV of your own moves the shipped factors as far as its rows bear out.");
