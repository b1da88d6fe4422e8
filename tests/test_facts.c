// The facts that ship with the program, through the real loader: what must be right about them.
#include "catalog/facts/catalog.h"
#include "src/perf/perf.h"
#include "tests/check.h"

typedef struct Loaded {
    Arena arena;
    Catalog *catalog;
    Facts f;
} Loaded;

static void open_facts(Loaded *l) {
    Err e = {0};
    const char *warning = "";
    CatalogOptions options = {NULL, NULL};
    *l = (Loaded){0};
    if (!catalog_open(&options, &l->arena, &l->catalog, &warning, &e) ||
        !catalog_facts(l->catalog, &l->arena, &l->f, &e))
        FAIL_("%s", e.text);
}

static void close_facts(Loaded *l) {
    catalog_close(l->catalog);
    arena_free(&l->arena);
}

static const Gpu *gpu(const Loaded *l, const char *id) {
    for (size_t i = 0; i < l->f.n_gpus; i++) {
        if (strcmp(l->f.gpus[i].sku_id, id) == 0) return &l->f.gpus[i];
    }
    FAIL_("no gpu %s", id);
    return NULL;
}

static const Model *model(const Loaded *l, const char *id) {
    for (size_t i = 0; i < l->f.n_models; i++) {
        if (strcmp(l->f.models[i].model_id, id) == 0) return &l->f.models[i];
    }
    FAIL_("no model %s", id);
    return NULL;
}

static void test_peaks_are_dense(void) {
    Loaded l;
    open_facts(&l);
    CHECK_NEAR(gpu(&l, "h100-sxm5-80gb")->bf16_tflops, 989.4, 1e-3);
    CHECK_NEAR(gpu(&l, "mi300x-192gb")->bf16_tflops, 1307.4, 1e-3);
    int checked = 0;
    for (size_t i = 0; i < l.f.n_gpus; i++) {
        const Gpu *g = &l.f.gpus[i];
        // Units x clock x rate: a sparse figure would be twice that.
        double product = g->compute_units * g->peak_clock_mhz * g->flop_per_clk_per_unit / 1e6;
        if (is_known(product) && is_known(g->fp16_tflops)) {
            if (fabs(g->fp16_tflops / product - 1) > 0.01)
                FAIL_("%s: fp16 %g, product %g", g->sku_id, g->fp16_tflops, product);
            checked++;
        }
        // Their rates are not in the ratio of earlier parts.
        bool other = strcmp(g->architecture, "rubin") == 0 || strcmp(g->architecture, "cdna5") == 0;
        if (!other && g->fp8_tflops / g->bf16_tflops > 2.05)
            FAIL_("%s: fp8 %g against bf16 %g", g->sku_id, g->fp8_tflops, g->bf16_tflops);
    }
    CHECK(checked >= 40);
    close_facts(&l);
}

// What is announced has no offers, what is rented out has some.
static void test_markets_follow_offers(void) {
    Loaded l;
    open_facts(&l);
    for (size_t i = 0; i < l.f.n_gpus; i++) {
        const Gpu *g = &l.f.gpus[i];
        size_t offers = 0;
        for (size_t k = 0; k < l.f.n_offers; k++) offers += strcmp(l.f.offers[k].sku_id, g->sku_id) == 0;
        if ((strcmp(g->support, "planned") == 0) != (g->market == MARKET_ANNOUNCED))
            FAIL_("%s: %s, yet %s", g->sku_id, g->support, market_names[g->market]);
        if ((g->market == MARKET_ANNOUNCED && offers > 0) || (g->market == MARKET_RENTED && offers == 0))
            FAIL_("%s: %s, with %zu offers", g->sku_id, market_names[g->market], offers);
    }
    close_facts(&l);
}

// A GPU is recognised here by what its driver says: each has a row of data/device_ids.tsv, but those whose ids nobody has published.
static void test_every_gpu_has_reported_names(void) {
    static const char unpublished[] =
        "gb300-dgx-station-252gb mi430x-432gb mi440x-432gb radeon-ai-pro-r9700s-32gb rtx-5080-16gb "
        "rtx-pro-4000-blackwell-24gb rtx-pro-5000-blackwell-48gb rtx-pro-5000-blackwell-72gb "
        "rtx-pro-5500-blackwell-84gb ryzen-ai-max-plus-pro-495-192gb vr200-288gb";
    Loaded l;
    Arena a = {0};
    Err e = {0};
    Str ids;
    open_facts(&l);
    CHECK(file_read(&a, "data/device_ids.tsv", 1 << 24, &ids, &e));
    for (size_t i = 0; i < l.f.n_gpus; i++) {
        const char *sku = l.f.gpus[i].sku_id;
        bool there = strstr(ids.data, arena_printf(&a, "\t%s\t", sku)) != NULL;
        if (there == word_in(unpublished, sku))
            FAIL_("%s: %s", sku,
                  there ? "its ids are known: it is no exception" : "no row of data/device_ids.tsv");
    }
    arena_free(&a);
    close_facts(&l);
}

static void test_model_shapes_give_the_counts(void) {
    Loaded l;
    open_facts(&l);
    int checked = 0;
    for (size_t i = 0; i < l.f.n_models; i++) {
        const Model *m = &l.f.models[i];
        double shape = model_params_from_shape(m);
        double vision = is_known(m->params_vision) ? m->params_vision : 0;
        double published = m->params_published_b * 1e9;
        if (!is_known(shape)) continue;
        // Gemma 4's rows say so themselves: norms and vision tower approximate. Gates on what attention gives
        // have no column.
        static const char *const gated[] = {"gemma-4", "hy4", "muse-glimmer"};
        bool more = false;
        for (size_t k = 0; k < COUNT_OF(gated); k++)
            more = more || strncmp(m->model_id, gated[k], strlen(gated[k])) == 0;
        if (!more && fabs((shape + vision) / m->params_total - 1) > 0.01)
            FAIL_("%s: shape %.0f + vision %.0f, row %.0f", m->model_id, shape, vision, m->params_total);
        if (is_known(published) && fabs(m->params_total / published - 1) > 0.012 &&
            fabs((m->params_total - vision) / published - 1) > 0.012) {
            FAIL_("%s: %.0f against %.0f published", m->model_id, m->params_total, published);
        }
        checked++;
    }
    CHECK(l.f.n_models >= 50);
    CHECK(checked >= 70);
    close_facts(&l);
}

static void test_model_memory(void) {
    Loaded l;
    open_facts(&l);
    const Model *llama = model(&l, "llama-3.1-70b");
    CHECK_NEAR(model_weight_bytes(llama, DTYPE_BF16), 141.1e9, 1e-3);
    CHECK_NEAR(model_kv_bytes_per_token(llama, DTYPE_BF16), 320 * 1024, 1e-12);
    CHECK_NEAR(model_kv_bytes_per_token(model(&l, "deepseek-r1"), DTYPE_BF16), 70272, 1e-12);
    CHECK_NEAR(model_weight_bytes(model(&l, "gpt-oss-120b"), DTYPE_MXFP4), 65.2e9, 1e-3);
    CHECK_NEAR(model_kv_bytes_per_token(model(&l, "gpt-oss-120b"), DTYPE_BF16), 36864, 1e-12);
    CHECK_NEAR(model_cache_bytes(model(&l, "gpt-oss-120b"), 1000, DTYPE_BF16), 1000 * 36864.0 + 128 * 36864.0,
               1e-12);
    close_facts(&l);
}

// Weights of every model, whatever the dtype: parts are not negative and add up.
static void test_weights_split_into_parts(void) {
    Loaded l;
    open_facts(&l);
    static const Dtype dtypes[] = {DTYPE_BF16, DTYPE_FP8, DTYPE_MXFP4, DTYPE_INT4};
    for (size_t i = 0; i < l.f.n_models; i++) {
        const Model *m = &l.f.models[i];
        if (!is_known(m->layers)) continue;
        for (size_t d = 0; d < COUNT_OF(dtypes); d++) {
            double all = model_weight_bytes(m, dtypes[d]);
            if (!(model_fixed_bytes(m, dtypes[d]) > 0 && model_expert_bytes(m, dtypes[d]) >= 0 && all > 0))
                FAIL_("%s %s", m->model_id, dtype_names[dtypes[d]]);
            CHECK(model_fixed_bytes(m, dtypes[d]) + model_expert_bytes(m, dtypes[d]) <= all * 1.0000001);
        }
    }
    close_facts(&l);
}

static void test_offers_are_enough_and_dated(void) {
    Loaded l;
    open_facts(&l);
    const char *providers[200];
    size_t n_providers = 0, recent = 0, amd = 0, models[PRICING_COUNT] = {0};
    for (size_t i = 0; i < l.f.n_offers; i++) {
        const Offer *o = &l.f.offers[i];
        int64_t days = 0;
        CHECK(parse_date(str_of(o->as_of), &days, NULL));
        CHECK(o->price_micro_usd_h > 0);
        if (strcmp(o->as_of, "2026-05") < 0) continue;
        recent++;
        models[o->pricing_model]++;
        size_t k = 0;
        while (k < n_providers && strcmp(providers[k], o->provider) != 0) k++;
        if (k == n_providers && n_providers < COUNT_OF(providers)) providers[n_providers++] = o->provider;
        if (o->sku_id[0] != '\0' && gpu(&l, o->sku_id)->vendor == VENDOR_AMD) amd++;
    }
    CHECK(recent >= 400);
    CHECK(n_providers >= 20);
    CHECK(amd >= 150);
    for (int p = 0; p < PRICING_COUNT; p++) CHECK(models[p] > 0);
    close_facts(&l);
}

// Every architecture that has a usable offer can be estimated, or the table says that it cannot.
static void test_factors_cover_what_can_be_rented(void) {
    Loaded l;
    open_facts(&l);
    for (size_t i = 0; i < l.f.n_offers; i++) {
        const Offer *o = &l.f.offers[i];
        if (o->sku_id[0] == '\0') continue;
        const Gpu *g = gpu(&l, o->sku_id);
        size_t k = 0;
        while (k < l.f.n_efficiency && (l.f.efficiency[k].effect != EFFECT_VENDOR ||
                                        strcmp(l.f.efficiency[k].level, vendor_names[g->vendor]) != 0))
            k++;
        if (k == l.f.n_efficiency) FAIL_("no factors for %s (%s)", g->sku_id, g->architecture);
    }
    close_facts(&l);
}

static void test_workloads_are_complete(void) {
    static const char *const wanted[] = {
        "llama70b",      "llama8b",          "llama405b",     "deepseek-r1", "qwen72b-fp8", "gpt-oss-120b",
        "mixtral",       "rag-long-context", "batch-offline", "low-latency", "sdxl-images", "llama13b-train",
        "llama70b-lora", "hpc-md",           "hpc-cfd",       "embed-docs",  "embed-long",  "embed-qwen3-8b"};
    Loaded l;
    open_facts(&l);
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        size_t k = 0;
        while (k < l.f.n_workloads && strcmp(l.f.workloads[k].workload_id, wanted[i]) != 0) k++;
        if (k == l.f.n_workloads) FAIL_("no workload %s", wanted[i]);
    }
    close_facts(&l);
}

static const TestCase tests[] = {
    TEST(peaks_are_dense),
    TEST(markets_follow_offers),
    TEST(every_gpu_has_reported_names),
    TEST(model_shapes_give_the_counts),
    TEST(model_memory),
    TEST(weights_split_into_parts),
    TEST(offers_are_enough_and_dated),
    TEST(factors_cover_what_can_be_rented),
    TEST(workloads_are_complete),
};
TEST_MAIN(tests)
