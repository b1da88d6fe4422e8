// A world for tests of src/advise: two offers, one of each vendor, and a question.
#ifndef GPUADVISE_TESTS_ADVISE_WORLD_H
#define GPUADVISE_TESTS_ADVISE_WORLD_H

#include "src/advise/advise.h"
#include "tests/check.h"
#include "tests/fixture.h"

enum { TODAY = 20784 };  // 2026-11-27

typedef struct World {
    Gpu gpus[2];
    Model model;
    Offer offers[8];
    Facts facts;
    Ask ask;
    Arena arena;
    Advice advice;
} World;

static inline Offer offer(const char *provider, const char *sku, double gpus, double usd_h) {
    return (Offer){.provider = provider,
                   .instance = "i",
                   .region = "",
                   .sku_id = sku,
                   .listed_name = sku,
                   .gpu_count = gpus,
                   .vcpus = UNKNOWN,
                   .ram_gb = UNKNOWN,
                   .pricing_model = PRICING_ON_DEMAND,
                   .price_micro_usd_h = (int64_t)(usd_h * 1e6 + 0.5),
                   .standing = STANDING_LISTED,
                   .source = "test",
                   .as_of = "2026-11-20"};
}

// Two offers: 8 x H100 at $20/h, 8 x MI300X at $16/h; 64 requests in flight on a 70B model in 16 bits.
static inline void make(World *w) {
    *w = (World){0};
    w->gpus[0] = gpu_like("h100", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979);
    w->gpus[1] = gpu_like("mi300x", VENDOR_AMD, "cdna3", 192, 5300, 1307, 2615);
    w->model = llama_70b();
    w->offers[0] = offer("north", "h100", 8, 20);
    w->offers[1] = offer("south", "mi300x", 8, 16);
    w->facts = fixture_facts(w->gpus, 2);
    w->facts.offers = w->offers;
    w->facts.n_offers = 2;
    Workload serve = {.workload_id = "w",
                      .title = "",
                      .who = "",
                      .kind = KIND_SERVE,
                      .variant = "",
                      .model_id = "llama-70b",
                      .isl_tokens = 1024,
                      .osl_tokens = 512,
                      .rate_rps = UNKNOWN,
                      .concurrency = 64,
                      .ttft_p99_ms = UNKNOWN,
                      .tpot_ms = UNKNOWN,
                      .weights = "bf16",
                      .kv = "bf16",
                      .duty_cycle = 1,
                      .tokens_total = UNKNOWN,
                      .images_steps = UNKNOWN,
                      .run_tflop_fp64 = UNKNOWN,
                      .run_tflop_fp32 = UNKNOWN,
                      .run_tbyte = UNKNOWN,
                      .run_steps = UNKNOWN,
                      .run_memory_gb = UNKNOWN,
                      .source = "",
                      .as_of = ""};
    w->ask = (Ask){.workload = serve,
                   .model = &w->model,
                   .vendor = -1,
                   .region = "",
                   .pricing_model = PRICING_ON_DEMAND,
                   .gpus_max = UNKNOWN,
                   .fleet = UNKNOWN,
                   .site_kw = UNKNOWN,
                   .current_gpus = UNKNOWN,
                   .max_price_usd_gpu_h = UNKNOWN,
                   .max_age_days = UNKNOWN,
                   .today = TODAY,
                   .top = 10};
}

static inline void run(World *w) {
    Err e = {0};
    if (!advise(&w->facts, &w->ask, &w->arena, &w->advice, &e)) FAIL_("%s", e.text);
}

static inline size_t excluded(const Advice *a, const char *reason) {
    for (size_t i = 0; i < a->n_exclusions; i++) {
        if (strcmp(a->exclusions[i].reason, reason) == 0) return a->exclusions[i].count;
    }
    return 0;
}

#endif
