// `gpuadvise calibrate`: refits the efficiency factors to measurements.
#include "catalog/load.h"
#include "cli/cmd.h"
#include "src/perf/calibrate.h"

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
    l.note = "Shifts add up over a configuration's properties: logits of shares of peak (BW, KV, FLOP, PREFILL, LINK), ln of seconds. SIGMA: "
             "standard deviation of ln(predicted / measured) with each cell left out of its own fit.";
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

static size_t fitted_rows(const FitRow *rows, size_t n) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) found += rows[i].weight > 0;
    return found;
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
    LeftOut left;
    const char *own = opt_text(app, OPT_MEASUREMENTS, NULL);
    CalibrateWant want = {fit, n_fit, own != NULL ? &f : NULL, arena_printf(&app->arena, "gpuadvise calibrate on %s", own != NULL ? own : "data/measurements.tsv")};
    size_t n_table = calibrate(&want, &app->arena, &table, &left);
    if (fitted_rows(fit, n_fit) == 0) {
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
    .description = "Fits what every property of a configuration - vendor, architecture, weight class, engine, model, age of software - does to the "
                   "factors, to the published measurements; thinly measured properties hardly shift. The shipped table is `gpuadvise calibrate --tsv`. A CSV of your own moves the shipped factors as far as its rows bear out.",
    .verbs = verbs,
    .n_verbs = COUNT_OF(verbs),
    .options = options,
    .n_options = COUNT_OF(options),
    .formats = FORMATS_LISTING,
    .run = run,
};
