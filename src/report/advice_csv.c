// The options of an Advice as CSV for scripts.
#include <math.h>

#include "src/report/figures.h"

#define FIGURE(key, field)                                                                                   \
    { key, offsetof(Option, field) }

const OptionFigure option_figures[] = {
    FIGURE("output_tokens_per_s", output_tokens_s),
    FIGURE("output_tokens_per_s_per_gpu", output_tokens_s_gpu),
    FIGURE("tokens_per_s_per_user", tokens_s_user),
    FIGURE("ttft_p50_ms", ttft_p50_ms),
    FIGURE("ttft_p99_ms", ttft_p99_ms),
    FIGURE("tpot_ms", tpot_ms),
    FIGURE("output_usd_per_mtok", output_usd_mtok),
    FIGURE("blended_usd_per_mtok", blended_usd_mtok),
    FIGURE("input_usd_per_mtok", input_usd_mtok),
    FIGURE("saturated_output_usd_per_mtok", saturated_output_usd_mtok),
    FIGURE("images_per_s", images_s),
    FIGURE("usd_per_1k_images", usd_1k_images),
    FIGURE("train_tokens_per_s", train_tokens_s),
    FIGURE("hours_total", hours_total),
    FIGURE("usd_total", usd_total),
    FIGURE("usd_per_run", usd_run),
    FIGURE("sequences_per_s", sequences_s),
    FIGURE("input_tokens_per_s", input_tokens_s),
};
const size_t n_option_figures = COUNT_OF(option_figures);

const Estimate *option_figure(const Option *o, size_t i) {
    return (const Estimate *)(const void *)((const char *)o + option_figures[i].offset);
}

// Without titles: columns of CSV alone.
#define CSV_COLUMN(key, kind, cell) LISTING_COLUMN(key, key, kind, cell)
#define CSV_CELL(key, kind, cell) LISTING_CELL(key, key, kind, cell)
// clang-format off
#define FIXED_COLUMNS(X) \
    X("rank",                   NUMBER(0), rank) \
    X("vendor",                 TEXT,      vendor_names[o->gpu->vendor]) \
    X("gpu",                    TEXT,      o->gpu->sku_id) \
    X("gpu_count",              NUMBER(0), o->gpu_count) \
    X("instances",              NUMBER(0), o->instances) \
    X("replicas",               NUMBER(0), o->replicas) \
    X("tp",                     NUMBER(0), o->layout.tp) \
    X("pp",                     NUMBER(0), o->layout.pp) \
    X("ep",                     NUMBER(0), o->layout.ep) \
    X("dp",                     NUMBER(0), o->layout.dp) \
    X("engine",                 TEXT,      o->engine) \
    X("weights",                TEXT,      dtype_text(o->weights)) \
    X("kv",                     TEXT,      dtype_text(o->kv)) \
    X("provider",               TEXT,      o->offer->provider) \
    X("instance",               TEXT,      o->offer->instance) \
    X("region",                 TEXT,      o->offer->region) \
    X("pricing_model",          TEXT,      pricing_names[o->offer->pricing_model]) \
    X("price_usd_per_hour",     NUMBER(0), o->price_usd_h) \
    X("price_usd_per_gpu_hour", NUMBER(0), o->price_usd_gpu_h) \
    X("price_seen_at",          TEXT,      o->offer->as_of) \
    X("concurrency",            NUMBER(0), o->concurrency) \
    X("memory_used_pct",        NUMBER(0), o->memory_used_pct) \
    X("basis",                  TEXT,      basis_names[o->basis])
// clang-format on
static const Column fixed_columns[] = {FIXED_COLUMNS(CSV_COLUMN)};

// clang-format off
#define LAST_COLUMNS(X) \
    X("seller_class",        TEXT,      seller_class_names[o->seller]) \
    X("machines_seen",       NUMBER(0), o->offer->machines_seen >= 1 ? o->offer->machines_seen : (double)NAN) \
    X("price_derived",       TEXT,      o->offer->derived_from > 0 ? "true" : "false") \
    X("verdict_winner",      TEXT,      winner_names[v->winner]) \
    X("verdict_probability", NUMBER(0), v->probability) \
    X("generated_at",        TEXT,      at) \
    X("hosts_seen",          NUMBER(0), o->offer->hosts_seen >= 1 ? o->offer->hosts_seen : (double)NAN) \
    X("one_host",            TEXT,      alone == AVAILABLE_UNKNOWN ? "" : alone == AVAILABLE_YES ? "true" : "false")
// clang-format on
static const Column last_columns[] = {LAST_COLUMNS(CSV_COLUMN)};

enum { FIXED = COUNT_OF(fixed_columns), EACH = 3, COSTS = 2, LAST = COUNT_OF(last_columns) };

static const char *const cost_keys[COSTS] = {"usd_per_month", "kwh_per_mtok"};

static const char *dtype_text(Dtype d) { return d != DTYPE_UNKNOWN ? dtype_names[d] : ""; }

static void fill_estimate(Listing *l, size_t first, const Estimate *x) {
    listing_set(l, L_NUMBER(first, x->value), L_NUMBER(first + 1, x->low), L_NUMBER(first + 2, x->high));
}

static void fill_row(Listing *l, const Advice *advice, const ReportFrame *frame, const Option *o, double rank,
                     const char *at) {
    const Verdict *v = &advice->verdict;
    Available alone = offer_one_host(o->offer, o->seller);
    const Costs costs = option_costs(frame->facts, advice->ask, o);
    const Estimate *of[COSTS] = {&costs.usd_month, &costs.kwh_per_mtok};
    size_t at_costs = FIXED + EACH * n_option_figures;
    listing_part(l, 0, FIXED_COLUMNS(CSV_CELL));
    for (size_t i = 0; i < n_option_figures; i++) fill_estimate(l, FIXED + EACH * i, option_figure(o, i));
    for (size_t i = 0; i < COSTS; i++) fill_estimate(l, at_costs + EACH * i, of[i]);
    listing_part(l, at_costs + EACH * COSTS, LAST_COLUMNS(CSV_CELL));
    listing_row_done(l);
}

// The fixed columns, three of each figure and of each cost, the last ones.
static Column csv_column(Arena *a, size_t c) {
    static const char *const ends[EACH] = {"", "_low", "_high"};
    size_t figures = n_option_figures + COSTS;
    if (c < FIXED) return fixed_columns[c];
    if (c >= FIXED + EACH * figures) return last_columns[c - FIXED - EACH * figures];
    size_t i = (c - FIXED) / EACH;
    const char *key = i < n_option_figures ? option_figures[i].key : cost_keys[i - n_option_figures];
    return (Column){
        .key = arena_printf(a, "%s%s", key, ends[(c - FIXED) % EACH]), .title = "", .number = true};
}

void options_csv(const Advice *advice, const ReportFrame *frame, Arena *a, Buf *out) {
    size_t n = FIXED + EACH * (n_option_figures + COSTS) + LAST;
    Column *columns = arena_alloc(a, n, sizeof *columns);
    for (size_t c = 0; c < n; c++) columns[c] = csv_column(a, c);
    Listing l = listing_new(a, "options", columns, n, advice->n_options);
    double rank = 0;
    char at[32];
    format_time(at, frame->generated_at);
    for (size_t i = 0; i < advice->n_options; i++) {
        const Option *o = &advice->options[i];
        fill_row(&l, advice, frame, o, o->today ? (double)NAN : ++rank, at);
    }
    listing_print(&l, FORMAT_CSV, (Room){0}, out);
}
