// `gpuadvise calibrate`: refits the efficiency factors to measurements.
#include "catalog/load.h"
#include "cli/cmd.h"
#include "src/perf/calibrate.h"

static const Column columns[] = {
    {.key = "vendor", .title = "VENDOR"},
    {.key = "architecture", .title = "ARCH"},
    {.key = "engine", .title = "ENGINE"},
    {.key = "layout", .title = "LAYOUT"},
    {.key = "weights", .title = "WEIGHTS"},
    {.key = "eta_bw", .title = "BW", .number = true, .digits = 2},
    {.key = "eta_kv", .title = "KV", .number = true, .digits = 2, .detail = true},
    {.key = "eta_fl", .title = "FLOP", .number = true, .digits = 2},
    {.key = "eta_prefill", .title = "PREFILL", .number = true, .digits = 2, .detail = true},
    {.key = "tau_us", .title = "us/L", .number = true, .digits = 3},
    {.key = "tau_tp_us", .title = "+TP", .number = true, .digits = 3},
    {.key = "seq_us", .title = "us/SEQ", .number = true, .digits = 3, .detail = true},
    {.key = "trend", .title = "TREND", .number = true, .digits = 2, .detail = true},
    {.key = "eta_link", .title = "LINK", .number = true, .digits = 2},
    {.key = "sigma_log", .title = "SIGMA", .number = true, .digits = 2},
    {.key = "n", .title = "N", .number = true, .digits = 5},
    {.key = "gpus", .title = "GPUS", .detail = true},
    {.key = "source", .title = "SOURCE", .detail = true},
    {.key = "as_of", .title = "AS OF", .detail = true},
};

static void fill_row(Listing *l, const Efficiency *e) {
    const char *texts[] = {vendor_names[e->vendor], e->architecture, e->engine, e->layout, e->weights != DTYPE_UNKNOWN ? dtype_names[e->weights] : "*"};
    const double numbers[] = {e->eta_bw, e->eta_kv, e->eta_fl, e->eta_prefill, e->tau_us, e->tau_tp_us, e->seq_us, e->trend, e->eta_link, e->sigma_log, e->n};
    for (size_t i = 0; i < COUNT_OF(texts); i++) listing_text(l, i, texts[i]);
    for (size_t i = 0; i < COUNT_OF(numbers); i++) listing_number(l, COUNT_OF(texts) + i, numbers[i]);
    size_t next = COUNT_OF(texts) + COUNT_OF(numbers);
    listing_text(l, next, e->gpus);
    listing_text(l, next + 1, e->source);
    listing_text(l, next + 2, e->as_of);
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
    l.note = "SIGMA: standard deviation of ln(predicted / measured) with each cell left out of its own fit. Shares of peak: BW, FLOP, LINK.";
    if (app->format != FORMAT_JSON) {
        app_listing(app, &l);
        return;
    }
    Json *inputs = NULL;
    Json *root = app_json(app, &inputs);
    app_inputs_json(app, inputs);
    listing_json(&l, root);
    app_json_done(app, root);
}

static int run(App *app) {
    Err e = {0};
    Catalog *catalog = NULL;
    Facts f;
    const Measurement *rows = NULL;
    size_t n = 0;
    if (!app_catalog(app, &catalog, &e) || !catalog_facts(catalog, &app->arena, &f, &e) || !app_measurements(app, catalog, &rows, &n, &e)) return app_fail(app, &e);
    FitRow *fit = NULL;
    Efficiency *table = NULL;
    size_t n_fit = fit_rows(&f, rows, n, LEAVE_OUT_CELL, &app->arena, &fit);
    double *errors = arena_alloc(&app->arena, n_fit + 1, sizeof *errors);
    double *tpot_errors = arena_alloc(&app->arena, n_fit + 1, sizeof *tpot_errors);
    double *sigmas = arena_alloc(&app->arena, n_fit + 1, sizeof *sigmas);
    size_t n_table = calibrate(fit, n_fit, &app->arena, &table, errors, tpot_errors, sigmas);
    if (n_table == 0) {
        err_set(&e, ERR_FAILED, "none of %zu measurements can be fitted: of grade A, B or R, with throughput, lengths and a known GPU and model", n);
        return app_fail(app, &e);
    }
    print_table(app, table, n_table);
    return EXIT_DONE;
}

static const Verb verbs[] = {{"", "", 0, 0}};
static const OptionId options[] = {OPT_MEASUREMENTS, OPT_TSV};

const Command cmd_calibrate = {
    .name = "calibrate",
    .summary = "refits the efficiency factors to measurements",
    .description = "Fits the factors of every group of configurations - vendor and layout, architecture, weight class, engine - to the published "
                   "measurements or to a CSV of your own; thin groups lean on their family. The shipped table is `gpuadvise calibrate --tsv`.",
    .verbs = verbs,
    .n_verbs = COUNT_OF(verbs),
    .options = options,
    .n_options = COUNT_OF(options),
    .formats = FORMATS_LISTING,
    .run = run,
};
