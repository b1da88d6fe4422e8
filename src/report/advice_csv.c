// The options of an Advice as CSV for scripts.
#include "src/report/figures.h"

#define FIGURE(key, field) {key, offsetof(Option, field)}

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

const Estimate *option_figure(const Option *o, size_t i) { return (const Estimate *)(const void *)((const char *)o + option_figures[i].offset); }

#define TEXT(k) {.key = k, .title = k}
#define NUMBER(k) {.key = k, .title = k, .number = true}
static const Column fixed_columns[] = {
    NUMBER("rank"),     TEXT("vendor"),   TEXT("gpu"),           NUMBER("gpu_count"),          NUMBER("instances"),              NUMBER("replicas"),    NUMBER("tp"),
    NUMBER("pp"),       NUMBER("ep"),     NUMBER("dp"),          TEXT("engine"),   TEXT("weights"),       TEXT("kv"),                   TEXT("provider"),                 TEXT("instance"),      TEXT("region"),
    TEXT("pricing_model"), NUMBER("price_usd_per_hour"), NUMBER("price_usd_per_gpu_hour"), TEXT("price_seen_at"), NUMBER("concurrency"), NUMBER("memory_used_pct"), TEXT("basis"),
};
enum { FIXED = COUNT_OF(fixed_columns), EACH = 3 };

static const char *dtype_text(Dtype d) { return d != DTYPE_UNKNOWN ? dtype_names[d] : ""; }

static void fill_row(Listing *l, const Option *o, size_t rank) {
    const struct {
        const char *text;
        double number;
    } cells[FIXED] = {
        {NULL, (double)rank}, {vendor_names[o->gpu->vendor], 0}, {o->gpu->sku_id, 0}, {NULL, o->gpu_count}, {NULL, o->instances}, {NULL, o->replicas}, {NULL, o->layout.tp},
        {NULL, o->layout.pp}, {NULL, o->layout.ep}, {NULL, o->layout.dp}, {o->engine, 0}, {dtype_text(o->weights), 0}, {dtype_text(o->kv), 0}, {o->offer->provider, 0}, {o->offer->instance, 0}, {o->offer->region, 0},
        {pricing_names[o->offer->pricing_model], 0}, {NULL, o->price_usd_h}, {NULL, o->price_usd_gpu_h}, {o->offer->as_of, 0}, {NULL, o->concurrency}, {NULL, o->memory_used_pct}, {basis_names[o->basis], 0},
    };
    for (size_t c = 0; c < FIXED; c++) {
        if (fixed_columns[c].number) {
            listing_number(l, c, cells[c].number);
        } else {
            listing_text(l, c, cells[c].text);
        }
    }
    for (size_t i = 0; i < n_option_figures; i++) {
        const Estimate *x = option_figure(o, i);
        listing_number(l, FIXED + EACH * i, x->value);
        listing_number(l, FIXED + EACH * i + 1, x->low);
        listing_number(l, FIXED + EACH * i + 2, x->high);
    }
    listing_row_done(l);
}

void options_csv(const Advice *advice, Arena *a, Buf *out) {
    size_t n = FIXED + EACH * n_option_figures;
    Column *columns = arena_alloc(a, n, sizeof *columns);
    for (size_t c = 0; c < n; c++) {
        static const char *const ends[EACH] = {"", "_low", "_high"};
        columns[c] = c < FIXED ? fixed_columns[c] : (Column){.key = arena_printf(a, "%s%s", option_figures[(c - FIXED) / EACH].key, ends[(c - FIXED) % EACH]), .title = "", .number = true};
    }
    Listing l;
    listing_init(&l, a, "options", columns, n, advice->n_options);
    for (size_t i = 0; i < advice->n_options; i++) fill_row(&l, &advice->options[i], i + 1);
    listing_print(&l, FORMAT_CSV, 0, out);
}
